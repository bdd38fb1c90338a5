import { spawn } from '@lydell/node-pty'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/sallyport.js', import.meta.url))

/** The binary in a pseudo-terminal. */
export interface TerminalSession {
  /** Everything that the terminal has shown, without escape sequences. */
  readonly shown: () => string
  readonly write: (text: string) => void
  /** Waits until the terminal shows the text. */
  readonly waitFor: (text: string | RegExp, timeoutMs?: number) => Promise<void>
  readonly exitCode: Promise<number>
}

interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** @default 80 */
  readonly columns?: number
}

/** Starts the binary in a pseudo-terminal. */
export function startInTerminal(
  args: readonly string[],
  { env, cwd, columns = 80 }: TerminalOptions,
): TerminalSession {
  const terminal = spawn(process.execPath, [bin, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows: 24,
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  })
  let output = ''
  const listeners = new Set<() => void>()
  terminal.onData((data) => {
    output += data
    for (const listener of listeners) listener()
  })
  const exitCode = new Promise<number>((resolve) => {
    terminal.onExit((event) => {
      resolve(event.exitCode)
      for (const listener of listeners) listener()
    })
  })
  const shown = () => output.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n')

  return {
    shown,
    write: (text) => {
      terminal.write(text)
    },
    waitFor: (text, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          listeners.delete(check)
          settle()
        }
        const check = () => {
          const found = typeof text === 'string' ? shown().includes(text) : text.test(shown())
          if (found) finish(resolve)
        }
        const timer = setTimeout(() => {
          finish(() => {
            reject(new Error(`The terminal does not show ${String(text)}:\n${shown()}`))
          })
        }, timeoutMs)
        listeners.add(check)
        check()
      }),
    exitCode,
  }
}
