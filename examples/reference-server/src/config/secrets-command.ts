import { spawn, spawnSync } from 'node:child_process'
import { notText, secretText } from './secret-text.ts'
import { linesOf, withoutNewline, type SecretStore } from './secrets.ts'

export interface SecretsCommandOptions {
  /** A command of the shell, which gets the secret's name as its last argument. */
  readonly command: string
  /** How long its answer may be used. */
  readonly leaseMs: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** @default {@link commandTimeoutMs} */
  readonly timeoutMs?: number
}

/** How long a command may take, in milliseconds. */
export const commandTimeoutMs = 10_000

type Answer = { readonly text: string } | Failure

interface Failure {
  readonly failure: string
  readonly isFault?: boolean
  /** Whether the command ran to its end, and chose to fail. */
  readonly isChosen?: boolean
}

const maximumBytes = 64 * 1024

/**
 * Asks any store's own command for a secret: what it prints is the secret, several a line each; nothing means that
 * there is none. An exit code of its own other than 0 means the same where it has given another secret, as its store is
 * there then; else that the secret cannot be had now.
 *
 * Nothing that it prints gets into a message.
 */
export function secretsFromCommand(options: SecretsCommandOptions): SecretStore {
  const { command, leaseMs, environment, timeoutMs = commandTimeoutMs } = options
  // The name is an argument of its own: no text of ours becomes a part of the command.
  const argumentsFor = (name: string) => ['-c', `${command} "$1"`, 'sh', name]
  const asked = new Map<string, Answer>()

  function ask(name: string): Answer {
    const known = asked.get(name)
    if (known) return known
    const { status, signal, stdout, error } = spawnSync('/bin/sh', argumentsFor(name), {
      env: environment,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maximumBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const answer =
      error || status !== 0
        ? { failure: describe(error, status, signal), isChosen: !error && isChosen(status) }
        : answerOf(stdout)
    asked.set(name, answer)
    return answer
  }

  const told = (name: string, answer: Answer) =>
    'failure' in answer ? `SECRETS_COMMAND failed for ${name}: ${answer.failure}` : undefined
  const textOf = (answer: Answer) => ('text' in answer ? answer.text : '')
  const hasGiven = () => [...asked.values()].some((answer) => linesOf(textOf(answer)).length > 0)

  return {
    all: (name) => linesOf(textOf(ask(name))),
    one: (name) => withoutNewline(textOf(ask(name))) || undefined,
    failure: (name) => told(name, ask(name)),
    denies(name) {
      const answer = ask(name)
      return 'failure' in answer && answer.isChosen === true && hasGiven()
    },
    fault(name) {
      const answer = ask(name)
      return 'failure' in answer && answer.isFault === true ? told(name, answer) : undefined
    },
    async renew(name) {
      const text = await run(argumentsFor(name), environment, timeoutMs)
      return { values: linesOf(text), leaseMs }
    },
  }
}

function answerOf(bytes: Uint8Array): Answer {
  try {
    return { text: secretText(bytes) }
  } catch {
    return { failure: `what it printed ${notText}`, isFault: true }
  }
}

/** The shell ends with 126 or 127 for what it cannot run, and with 128 and the signal's number, from 1, for what one ended. */
const isChosen = (status: number | null): boolean =>
  status !== null && (status < 126 || status === 128 || status > 128 + 64)

/** The same without holding the process up. */
function run(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', commandArguments, {
      env: environment,
      // A group of its own, so that what the shell has started ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (why: string) => {
      clearTimeout(timer)
      reject(new Error(`SECRETS_COMMAND failed: ${why}`))
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(() => {
      end('it took too long')
    }, timeoutMs)
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maximumBytes) end('it printed too much')
      else chunks.push(chunk)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      end(describe(error, null, null))
    })
    child.on('close', (status, signal) => {
      const answer = status === 0 ? answerOf(Buffer.concat(chunks)) : undefined
      if (answer === undefined) end(describe(undefined, status, signal))
      else if ('failure' in answer) end(answer.failure)
      else {
        clearTimeout(timer)
        resolve(answer.text)
      }
    })
  })
}

function describe(
  error: NodeJS.ErrnoException | undefined,
  status: number | null,
  signal: string | null,
): string {
  if (error) return error.code === 'ETIMEDOUT' ? 'it took too long' : (error.code ?? 'it cannot be run')
  return signal === null ? `it ended with exit code ${status}` : `it was ended by ${signal}`
}
