import { execFile, type ExecFileException } from 'node:child_process'
import type { Io } from './io.ts'

/** What a store's command answered: the text that it printed, or why it printed none. */
type CommandAnswer = { readonly text: string } | { readonly failure: string }

const timeoutMs = 10_000
const maximumBytes = 64 * 1024

/**
 * Secrets as the server reads them, which takes none that are no text.
 *
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA`
 */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/**
 * Asks a secret store by the server's own command, as `<command> <name>`.
 *
 * Nothing that it prints gets into the failure.
 */
export function askStore(command: string, name: string, env: Io['env']): Promise<CommandAnswer> {
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      // The name is an argument of its own: no text of ours becomes a part of the command.
      ['-c', `${command} "$1"`, 'sh', name],
      { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maximumBytes, encoding: 'buffer' },
      (error, bytes) => {
        resolve(error === null ? answerOf(bytes) : { failure: reasonOf(error) })
      },
    ).stdin?.end()
  })
}

function answerOf(bytes: Uint8Array): CommandAnswer {
  try {
    return { text: textOf(bytes) }
  } catch {
    return { failure: 'what it printed is not text in UTF-8' }
  }
}

function reasonOf({ code, killed, signal }: ExecFileException): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'it printed too much'
  if (killed === true) return 'it took too long'
  if (typeof signal === 'string') return `it was ended by ${signal}`
  return typeof code === 'number' ? `it ended with exit code ${code}` : (code ?? 'it cannot be run')
}
