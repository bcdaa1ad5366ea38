# Installs jigo: irm https://github.com/jigo-go/jigo/releases/latest/download/install.ps1 | iex
#
# JIGO_VERSION   the release, such as 0.2.0 (default: the newest)
# JIGO_INSTALL   the folder of the program (default: %LOCALAPPDATA%\Programs\jigo)
# JIGO_RELEASES  the URL of the releases (default: https://github.com/jigo-go/jigo/releases)
$ErrorActionPreference = "Stop"

function Install-Jigo {
    $releases = if ($env:JIGO_RELEASES) { $env:JIGO_RELEASES } else { "https://github.com/jigo-go/jigo/releases" }
    $folder = if ($env:JIGO_INSTALL) { $env:JIGO_INSTALL } else { Join-Path $env:LOCALAPPDATA "Programs\jigo" }
    $target = "x86_64-pc-windows-msvc"
    $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory $work | Out-Null
    try {
        $version = $env:JIGO_VERSION
        if (-not $version) {
            Invoke-WebRequest -UseBasicParsing "$releases/latest/download/version" -OutFile "$work\version"
            $version = (Get-Content "$work\version").Trim()
        }
        $archive = "jigo-$version-$target.zip"
        foreach ($file in $archive, "$archive.sha256") {
            Invoke-WebRequest -UseBasicParsing "$releases/download/v$version/$file" -OutFile "$work\$file"
        }
        $due = (Get-Content "$work\$archive.sha256").Split(" ")[0]
        if ((Get-FileHash "$work\$archive" -Algorithm SHA256).Hash -ne $due) {
            throw "$archive does not have its checksum: it is damaged or another"
        }
        Expand-Archive "$work\$archive" $work
        New-Item -ItemType Directory -Force $folder | Out-Null
        Copy-Item -Force "$work\jigo-$version-$target\jigo.exe" $folder
        $path = [Environment]::GetEnvironmentVariable("Path", "User")
        if ($path -split ";" -notcontains $folder) {
            [Environment]::SetEnvironmentVariable("Path", "$path;$folder", "User")
            Write-Output "$folder is on your PATH in terminals that you open from now on"
        }
        Write-Output "$(& "$folder\jigo.exe" --version) is in $folder"
    }
    finally {
        Remove-Item -Recurse -Force $work
    }
}

Install-Jigo
