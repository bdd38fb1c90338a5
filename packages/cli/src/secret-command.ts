import { execFile, type ExecFileException } from 'node:child_process'
import type { Io } from './io.ts'

/** The output of the command of a secret store, or the reason of its failure. */
type CommandResult = { readonly text: string } | { readonly failure: string }

const timeoutMs = 10_000
const maximumBytes = 64 * 1024

/**
 * Decodes a secret as UTF-8, as the server does.
 *
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for invalid UTF-8
 */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/**
 * Reads a secret with the `SECRETS_COMMAND` of the server, called as `<command> <name>`. The failure omits the output.
 */
export function runSecretCommand(command: string, name: string, env: Io['env']): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      // The name is a separate argument, so the shell does not interpret it.
      ['-c', `${command} "$1"`, 'sh', name],
      { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maximumBytes, encoding: 'buffer' },
      (error, bytes) => {
        resolve(error === null ? readOutput(bytes) : { failure: describeExit(error) })
      },
    ).stdin?.end()
  })
}

function readOutput(bytes: Uint8Array): CommandResult {
  try {
    return { text: decodeText(bytes) }
  } catch {
    return { failure: 'its output is not UTF-8' }
  }
}

function describeExit({ code, killed, signal }: ExecFileException): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'its output is too large'
  if (killed === true) return 'it timed out'
  if (typeof signal === 'string') return `it was ended by ${signal}`
  return typeof code === 'number' ? `it ended with exit code ${code}` : (code ?? 'it cannot be run')
}
