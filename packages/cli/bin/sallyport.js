#!/usr/bin/env node
// Kept to what every Node.js with ES modules can read, so that an old one gets to say what is wrong.
import { spawnSync } from 'child_process'
import { existsSync } from 'fs'
import { fileURLToPath } from 'url'

const required = [22, 18]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(`sallyport needs Node.js ${required.join('.')} or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

// A published package has no sources. In a checkout they are what runs, whether it was built or not.
const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))

if (existsSync(source)) {
  const argv = ['--conditions=@sallyport/source', source].concat(process.argv.slice(2))
  const child = spawnSync(process.execPath, argv, { stdio: 'inherit' })
  process.exitCode = child.status === null ? 1 : child.status
} else {
  import('../dist/main.js').catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
