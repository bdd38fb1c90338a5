import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../src/program.ts'
import { createPrompt } from '../src/prompt.ts'

interface Execution {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface CommandOptions {
  readonly env: Readonly<Record<string, string>>
  /** @default an empty standard input */
  readonly stdin?: string | Uint8Array
  /** The width of a terminal, which also reads what the test writes. @default no terminal */
  readonly columns?: number
}

/** A command that runs in this process. */
export interface RunningCommand {
  /** Everything that the command has printed. */
  readonly shown: () => string
  readonly write: (text: string) => void
  /** Waits until the command has printed the text. */
  readonly waitFor: (text: string | RegExp) => Promise<void>
  /** Does what Ctrl-C does. */
  readonly interrupt: () => void
  readonly ended: Promise<Execution>
}

/** Starts the program in this process. A pause of the program ends at once. */
export function start(args: readonly string[], { env, stdin = '', columns }: CommandOptions): RunningCommand {
  const output = { stdout: '', stderr: '', shown: '' }
  const listeners = new Set<() => void>()
  const print = (stream: 'stdout' | 'stderr', text: string) => {
    output[stream] += text
    output.shown += text
    for (const listener of listeners) listener()
  }
  const input = columns === undefined ? Readable.from([Buffer.from(stdin)]) : new PassThrough()
  const screen = new PassThrough().on('data', (chunk) => {
    print('stderr', String(chunk))
  })
  const { prompt, close } = createPrompt(Object.assign(input, { isTTY: columns !== undefined }), screen)
  const interrupt = new AbortController()
  const code = run(args, '1.2.3', {
    env: { PATH: process.env['PATH'], ...env },
    stdin: input,
    out: (line) => {
      print('stdout', `${line}\n`)
    },
    err: (line) => {
      print('stderr', `${line}\n`)
    },
    fetch,
    now: Date.now,
    sleep: async (_, signal) => {
      await sleep(10, undefined, { signal }).catch(() => undefined)
    },
    randomUUID: () => crypto.randomUUID(),
    prompt,
    columns,
    catchInterrupt: () => interrupt.signal,
  }).finally(close)

  async function waitFor(text: string | RegExp): Promise<void> {
    const isShown = () => (typeof text === 'string' ? output.shown.includes(text) : text.test(output.shown))
    const shown = new Promise<void>((resolve) => {
      listeners.add(() => {
        if (isShown()) resolve()
      })
      if (isShown()) resolve()
    })
    const hasEnded = await Promise.race([shown.then(() => false), code.then(() => !isShown())])
    if (hasEnded) throw new Error(`The command does not show ${String(text)}:\n${output.shown}`)
  }

  return {
    shown: () => output.shown,
    write: (text) => {
      if (input instanceof PassThrough) input.write(text)
    },
    waitFor,
    interrupt: () => {
      interrupt.abort()
    },
    ended: code.then((ended) => ({ code: ended, stdout: output.stdout, stderr: output.stderr })),
  }
}

/** Runs the program in this process, without a terminal. */
export const execute = (args: readonly string[], options: CommandOptions): Promise<Execution> =>
  start(args, options).ended
