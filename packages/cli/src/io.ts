/** What a command reads and writes, and the world that it looks at. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<Uint8Array>
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly randomUUID: () => string
}

/** The command went its way. */
export const success = 0
/** The delivery was refused, made no event, or did not arrive. */
export const failure = 1
/** The arguments or the surroundings do not allow it: nothing was sent. */
export const usage = 2

/** Ends a command with a message for its user, who reads what is wrong and then what to do. */
export class CommandError extends Error {
  readonly exitCode: typeof failure | typeof usage
  readonly hints: readonly string[]

  constructor(exitCode: typeof failure | typeof usage, message: string, ...hints: readonly string[]) {
    super(message)
    this.exitCode = exitCode
    this.hints = hints
  }
}

/** Text from elsewhere, fit for a terminal: on one line, without control characters, cut to a length. */
export function printable(text: string, maximum = 500): string {
  const line = text.slice(0, maximum).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
  return text.length > maximum ? `${line}…` : line
}

/** A value as JSON, fit for a terminal: whatever could steer one is escaped, as JSON allows. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/** Reads a stream to its end, or answers undefined when it is longer than the limit in bytes. */
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
