import { CommandError, printable, usage, type Io } from './io.ts'
import { getInputName, readInput } from './read-input.ts'

const maxHeaderBytes = 1024 * 1024

/**
 * Reads the headers of a captured request: a line `name: value` per header, up to an empty line, or a JSON object. A request
 * line before the headers is skipped.
 *
 * @param file - a path, or `-` for standard input
 * @throws CommandError if the file cannot be read or has another form; the message omits values
 */
export async function readHeaders(file: string, io: Io): Promise<Headers> {
  const text = new TextDecoder().decode(await readInput(file, maxHeaderBytes, io))
  const headers = new Headers()
  for (const [name, value] of text.trimStart().startsWith('{')
    ? readObject(text, file)
    : readLines(text, file)) {
    try {
      headers.append(name, value)
    } catch {
      throw new CommandError(usage, `${getInputName(file)} has an invalid header: ${printable(name, 64)}`)
    }
  }
  return headers
}

function* readLines(text: string, file: string): Generator<readonly [name: string, value: string]> {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (index === 0 && /^(?:[A-Z]+ \S+ )?HTTP\/[\d.]+/.test(line)) continue
    if (line === '') return
    const colon = line.indexOf(':')
    // A pseudo-header of HTTP/2 starts with a colon.
    if (colon === 0) continue
    if (colon < 0)
      throw new CommandError(
        usage,
        `Line ${index + 1} of ${getInputName(file)} is not a header`,
        'Write one header per line, as name: value, or a JSON object.',
      )
    yield [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  }
}

function* readObject(text: string, file: string): Generator<readonly [name: string, value: string]> {
  let parsed: Readonly<Record<string, unknown>>
  try {
    parsed = JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    throw new CommandError(usage, `${getInputName(file)} is not JSON`)
  }
  for (const [name, value] of Object.entries(parsed))
    for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (typeof each !== 'string' && typeof each !== 'number')
        throw new CommandError(usage, `The header ${printable(name, 64)} is not text`)
      yield [name, String(each)]
    }
}
