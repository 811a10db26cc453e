#!/usr/bin/env node
// Runs the program of this platform's package, with the same terminal, signals and exit status.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `oauth-stdio-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/oauth-stdio`);
} catch {
  console.error(
    `oauth-stdio: npm has no package ${name} here. With Linux on x64, install again without --omit=optional. Elsewhere, build the program, as its ` +
      "README says (examples/install.sh), and start it by its path.",
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`oauth-stdio: ${program} could not be started: ${error.message}`);
  process.exit(1);
});
// A terminal sends SIGINT to both: this process lets the program decide.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
child.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
