// The entry point of `npm start`: builds the server if the build is missing or older than its sources, then runs it.
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
    'The build is older than its sources, and this user may not write it. The old build is started: run "npm run build" as a user with write access.\n',
  )
// Several servers may start at the same time, such as one per role: one builds, and the others wait.
else if (reason !== undefined || (existsSync(lock) && mayBuild(workspace)))
  await alone(lock, build, { patienceMs: 600_000 }).catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })

await import(main.href)

function reasonToBuild() {
  // The server is built last: if its build exists, those of its packages exist too.
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
      ? 'Building, because there was no build\n'
      : 'Building again, because the sources have changed\n',
  )
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const building = promisify(execFile)(npm, ['run', 'build', '--silent'], {
    cwd: workspace,
    // NODE_OPTIONS is for the server; modules of `--import` may not exist before the build.
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
    const output = typeof code === 'string' ? `${message}\n` : `${stdout}${stderr}`
    throw new Error(`${output}The build failed: run "npm ci", then try again.`, { cause: error })
  }
  // The time of the sources: a file with a future time is built once, and a file that changes during the build again.
  if (changed !== undefined) utimesSync(main, new Date(), new Date(changed))
}
