const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string
  /** Set for a file. */
  readonly filename?: string
  readonly contentType?: string
  readonly value: Uint8Array
}

/** More than the fields and files of any known service. */
const maximumParts = 1000

const delimiterPattern = /^--[\w'()+,./:=?-]{1,70}$/

/** Reports whether a body starts with a boundary. A form starts with the name of a field. */
export const isMultipart = (body: Uint8Array): boolean => body[0] === 0x2d && body[1] === 0x2d

/** Reads the parts of a body by the boundary at its start. Returns undefined for a body in another form. */
export function readParts(body: Uint8Array): readonly Part[] | undefined {
  const delimiter = readDelimiter(body)
  if (delimiter === undefined) return undefined
  const separator = encoder.encode(`\r\n${delimiter}`)
  const parts: Part[] = []
  let start = delimiter.length
  // Two dashes end the last part.
  while (body[start] !== 0x2d) {
    const end = findBytes(body, separator, start)
    const part = end < 0 ? undefined : readPart(body.subarray(start, end))
    if (part === undefined || parts.length === maximumParts) return undefined
    parts.push(part)
    start = end + separator.length
  }
  return parts
}

function readDelimiter(body: Uint8Array): string | undefined {
  const end = body.indexOf(0x0d)
  const delimiter = end > 0 && end < 80 ? String.fromCharCode(...body.subarray(0, end)) : ''
  return delimiterPattern.test(delimiter) ? delimiter : undefined
}

const headEnd = encoder.encode('\r\n\r\n')

function readPart(bytes: Uint8Array): Part | undefined {
  const end = findBytes(bytes, headEnd, 0)
  if (end < 0) return undefined
  const head = decode(bytes.subarray(0, end)) ?? ''
  const [, name] = /; name="([^"]*)"/.exec(head) ?? []
  const [, filename] = /; filename="([^"]*)"/.exec(head) ?? []
  const [, contentType] = /\r\ncontent-type: ([^\r\n]+)/i.exec(head) ?? []
  if (name === undefined) return undefined
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(contentType !== undefined && { contentType }),
    value: bytes.subarray(end + headEnd.length),
  }
}

/** Returns the text of a value in UTF-8, and undefined for other bytes. */
export function decode(value: Uint8Array): string | undefined {
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}

/** Compares byte by byte: a sender can write the first byte of a separator millions of times. */
function findBytes(bytes: Uint8Array, searched: Uint8Array, from: number): number {
  for (let at = from; at + searched.length <= bytes.length; at += 1) {
    let length = 0
    while (length < searched.length && bytes[at + length] === searched[length]) length += 1
    if (length === searched.length) return at
  }
  return -1
}
