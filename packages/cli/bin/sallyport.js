#!/usr/bin/env node
// Only syntax and imports that every Node.js with ES modules supports, so that an old version prints the message below.
import { spawn } from 'child_process'
import { existsSync } from 'fs'
import { fileURLToPath } from 'url'

const required = [22, 18]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(
    `sallyport needs Node.js ${required.join('.')} or newer; the current version is ${process.versions.node}.`,
  )
  process.exit(1)
}

// A published package has no sources. A checkout runs them, whether it was built or not.
const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))

if (existsSync(source)) {
  const argv = ['--conditions=@sallyport/source', source].concat(process.argv.slice(2))
  const child = spawn(process.execPath, argv, { stdio: 'inherit' })
  // A terminal sends SIGINT to both processes. The child ends the command.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code) => {
    process.exitCode = code === null ? 1 : code
  })
} else {
  import('../dist/main.js').catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
