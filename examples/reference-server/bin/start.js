// What `npm start` runs: builds what a fresh checkout lacks, or one with newer sources, then becomes the server.
import { execFile } from 'node:child_process'
import { existsSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { alone } from './alone.js'
import { changedAt, lastChange, mayBuild } from './sources.js'

const main = new URL('../dist/main.js', import.meta.url)
const workspace = fileURLToPath(new URL('../../..', import.meta.url))
const lock = fileURLToPath(new URL('../dist/.building', import.meta.url))

const reason = reasonToBuild()
if (reason === 'newer' && !mayBuild(workspace))
  process.stderr.write(
    'The build is older than its sources, and this user may not write it. It is started as it is: run "npm run build" as a user who may.\n',
  )
// Others may be started from here at once, such as each role: one of them builds, and the others wait for it.
else if (reason !== undefined || (existsSync(lock) && mayBuild(workspace)))
  await alone(lock, build, { patienceMs: 600_000 }).catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })

await import(main.href)

function reasonToBuild() {
  // The server is built last: when it is there, so is everything that it stands on.
  if (!existsSync(main)) return 'missing'
  const changed = lastChange(workspace)
  return changed !== undefined && changed > changedAt(fileURLToPath(main)) ? 'newer' : undefined
}

async function build() {
  const [why, changed] = [reasonToBuild(), lastChange(workspace)]
  if (why === undefined) return
  // The standard output is the log of the server.
  process.stderr.write(
    why === 'missing'
      ? 'Building, as there is no build yet\n'
      : 'Building anew, as the sources have changed\n',
  )
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const building = promisify(execFile)(npm, ['run', 'build', '--silent'], {
    cwd: workspace,
    // What the server is to be run with is not there for its build, or cannot be yet.
    env: { ...process.env, NODE_OPTIONS: undefined, SALLYPORT_KEEP_BUILT: '1' },
    maxBuffer: Infinity,
  })
  try {
    await building
  } catch (error) {
    const { code, message, stdout, stderr } =
      /** @type {import('node:child_process').ExecFileException & { stdout: string; stderr: string }} */ (
        error
      )
    const told = typeof code === 'string' ? `${message}\n` : `${stdout}${stderr}`
    throw new Error(`${told}The build failed: run "npm ci", then try again.`, { cause: error })
  }
  // Of what it was made: a source of the future is built once, and one that was changed meanwhile once more.
  if (changed !== undefined) utimesSync(main, new Date(), new Date(changed))
}
