/** The input, the output and the environment of a command. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<Uint8Array>
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Waits a number of milliseconds, or until the signal is aborted. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>
  readonly randomUUID: () => string
  /** The width of the terminal of the output. @default the output is not a terminal */
  readonly columns?: number | undefined
  /** Shows a line below the output, which the next one replaces; undefined removes the line. @default no terminal */
  readonly status?: ((line: string | undefined) => void) | undefined
  /** Returns a signal that Ctrl-C aborts. A second Ctrl-C ends the process. @default a signal that nothing aborts */
  readonly catchInterrupt?: () => AbortSignal
  /** Asks the user, or reads a line of standard input; undefined at the end of the input. @default no input */
  readonly prompt?: (question: string, options: { readonly hidden: boolean }) => Promise<string | undefined>
}

/** Exit code: the command succeeded. */
export const success = 0
/** Exit code: the server rejected the delivery, made no event of it, or could not be reached. */
export const failure = 1
/** Exit code: the arguments or the environment are invalid, and nothing was sent. */
export const usage = 2

/** Ends a command with a message for the user and hints how to correct the problem. */
export class CommandError extends Error {
  readonly exitCode: typeof failure | typeof usage
  readonly hints: readonly string[]

  constructor(exitCode: typeof failure | typeof usage, message: string, ...hints: readonly string[]) {
    super(message)
    this.exitCode = exitCode
    this.hints = hints
  }
}

/** A failure that the same request may not have later: the server cannot be reached, or is overloaded. */
export class TemporaryError extends CommandError {}

/** Makes foreign text safe for a terminal: one line, no control characters, limited length. */
export function printable(text: string, maximum = 500): string {
  const line = text.slice(0, maximum).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
  return text.length > maximum ? `${line}…` : line
}

/** Parses JSON, or returns undefined. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Formats a value as JSON that is safe for a terminal: control characters are escaped. */
export function printableJson(value: unknown): string {
  return escapeControls(JSON.stringify(value, null, 2))
}

/** Prints the result of a command: lines for people, or the value as JSON. Returns the exit code of a success. */
export function print(
  value: unknown,
  lines: string | Iterable<string>,
  { json }: { readonly json?: boolean },
  { out }: Pick<Io, 'out'>,
): number {
  if (json === true) out(printableJson(value))
  else for (const line of typeof lines === 'string' ? [lines] : lines) out(line)
  return success
}

/** Formats a value as {@link printableJson}, in one line. */
export function printableJsonLine(value: unknown): string {
  return escapeControls(JSON.stringify(value))
}

function escapeControls(json: string): string {
  return json.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/** Reads a stream to its end. Returns undefined if the stream is longer than the limit in bytes. */
export async function readAtMost(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > limit) return undefined
    read.push(chunk)
  }
  return Buffer.concat(read)
}
