import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../package.json' with { type: 'json' }
import { run } from './program.ts'
import { createPrompt } from './prompt.ts'

// A reader of the output may stop early, as `grep -q` and `head` do. That must not fail the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { prompt, close } = createPrompt(process.stdin, process.stderr)
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
  sleep: async (durationMs, signal) => {
    await sleep(durationMs, undefined, { signal }).catch(() => undefined)
  },
  randomUUID: () => crypto.randomUUID(),
  prompt,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  status: process.stderr.isTTY
    ? (line) => {
        process.stderr.write(`\r\u001b[2K${line ?? ''}`)
      }
    : undefined,
  catchInterrupt() {
    const controller = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => {
        controller.abort()
      })
    return controller.signal
  },
})
close()

// A module of PROVIDER_MODULES may keep the process alive with a timer or a connection, so exit explicitly.
await Promise.all([process.stdout, process.stderr].map(flush))
process.exit(exitCode)

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve()
    })
  })
}
