import { spawn, spawnSync } from 'node:child_process'
import { readSecretLines } from '@sallyport/internal/secret-list'
import { notText, decodeSecret, withoutNewline } from './files.ts'
import type { SecretStore } from './store.ts'

export interface CommandSecretsOptions {
  /** A shell command; its last argument is the name of the secret. */
  readonly command: string
  /** How long a secret may be used. */
  readonly leaseMs: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** In milliseconds. @default 10,000 */
  readonly timeoutMs?: number
  /** The name of the command in messages. @default 'The command' */
  readonly commandName?: string
}

type Answer = { readonly text: string } | Failure

interface Failure {
  readonly failure: string
  readonly isFault?: boolean
  /** Whether the command itself exited with an error code. */
  readonly isChosen?: boolean
}

const maximumBytes = 64 * 1024

/**
 * Reads secrets from a command. The command prints a JSON array or one secret per line, or nothing if the secret does not exist. An exit
 * code other than 0 also means "no secret" if the command has returned another secret; otherwise the
 * store is unavailable.
 * No message contains the output of the command.
 */
export function commandSecrets(options: CommandSecretsOptions): SecretStore {
  const { command, leaseMs, environment, timeoutMs = 10_000, commandName = 'The command' } = options
  // The name is a separate argument, so that it cannot inject shell code.
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
        : getAnswer(stdout)
    asked.set(name, answer)
    return answer
  }

  const formatFailure = (name: string, answer: Answer) =>
    'failure' in answer ? `${commandName} failed for ${name}: ${answer.failure}` : undefined
  const getText = (answer: Answer) => ('text' in answer ? answer.text : '')
  const hasGiven = () => [...asked.values()].some((answer) => readSecretLines(getText(answer)).length > 0)

  return {
    all: (name) => readSecretLines(getText(ask(name))),
    whole: () => undefined,
    one: (name) => withoutNewline(getText(ask(name))) || undefined,
    failure: (name) => formatFailure(name, ask(name)),
    denies(name) {
      const answer = ask(name)
      return 'failure' in answer && answer.isChosen === true && hasGiven()
    },
    fault(name) {
      const answer = ask(name)
      return 'failure' in answer && answer.isFault === true ? formatFailure(name, answer) : undefined
    },
    async renew(name) {
      const text = await run(argumentsFor(name), environment, timeoutMs).catch((error: unknown) => {
        throw new Error(`${commandName} failed: ${(error as Error).message}`)
      })
      return { values: readSecretLines(text), leaseMs }
    },
  }
}

function getAnswer(bytes: Uint8Array): Answer {
  try {
    return { text: decodeSecret(bytes) }
  } catch {
    return { failure: `its output ${notText}`, isFault: true }
  }
}

/** The shell exits with 126 or 127 if it cannot run the command, and with 128 plus the number of a signal. */
const isChosen = (status: number | null): boolean =>
  status !== null && (status < 126 || status === 128 || status > 128 + 64)

/** Runs the command without blocking the process. */
function run(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', commandArguments, {
      env: environment,
      // A separate process group, so that the timeout kills the children of the shell too.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (why: string) => {
      clearTimeout(timer)
      reject(new Error(why))
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The process has exited already.
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
      const answer = status === 0 ? getAnswer(Buffer.concat(chunks)) : undefined
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
