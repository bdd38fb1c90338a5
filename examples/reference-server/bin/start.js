// What `npm start` runs: builds what a fresh checkout lacks, then becomes the server.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/main.js', import.meta.url)

// The server is built last: when it is there, so is everything that it stands on.
if (!existsSync(main)) {
  process.stdout.write('Building, once\n')
  const workspace = fileURLToPath(new URL('../../..', import.meta.url))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const build = spawnSync(npm, ['run', 'build', '--silent'], { cwd: workspace, encoding: 'utf8' })
  if (build.status !== 0) {
    process.stderr.write(`${build.stdout}${build.stderr}The build failed: run "npm ci", then try again.\n`)
    process.exit(1)
  }
}

await import(main.href)
