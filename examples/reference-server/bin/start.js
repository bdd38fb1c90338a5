// What `npm start` runs: builds what a fresh checkout lacks, or one that was changed, then becomes the server.
import { spawnSync } from 'node:child_process'
import { existsSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { changedAt, lastChange, mayBuild } from './sources.js'

const main = new URL('../dist/main.js', import.meta.url)
const workspace = fileURLToPath(new URL('../../..', import.meta.url))

// The server is built last: when it is there, so is everything that it stands on.
const isBuilt = existsSync(main)
const changed = lastChange(workspace)

if (!isBuilt) build('Building, as there is no build yet\n')
else if (changed !== undefined && changed > changedAt(fileURLToPath(main))) {
  if (mayBuild(workspace)) build('Building anew, as the sources have changed\n')
  else
    process.stderr.write(
      'The build is older than its sources, and this user may not write it. It is started as it is: run "npm run build" as a user who may.\n',
    )
}

await import(main.href)

/** @param {string} why what is said of it */
function build(why) {
  process.stdout.write(why)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status, stdout, stderr } = spawnSync(npm, ['run', 'build', '--silent'], {
    cwd: workspace,
    encoding: 'utf8',
  })
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}The build failed: run "npm ci", then try again.\n`)
    process.exit(1)
  }
  // Of what it was made: a source of the future is built once, and one that was changed meanwhile once more.
  if (changed !== undefined) utimesSync(main, new Date(), new Date(changed))
}
