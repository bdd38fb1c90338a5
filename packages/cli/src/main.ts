import manifest from '../package.json' with { type: 'json' }
import { run } from './program.ts'

// Whoever reads the output may stop early, as `grep -q` and `head` do: that is no failure of what was done.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const exitCode = await run(process.argv.slice(2), manifest.version, {
  env: process.env,
  stdin: process.stdin,
  out: (line) => {
    process.stdout.write(`${line}\n`)
  },
  err: (line) => {
    process.stderr.write(`${line}\n`)
  },
  fetch,
  now: Date.now,
  randomUUID: () => crypto.randomUUID(),
})

// A module of PROVIDER_MODULES may hold the process with a timer or a connection: it ends once all is written.
await Promise.all([process.stdout, process.stderr].map(written))
process.exit(exitCode)

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve()
    })
  })
}
