/** The secrets of a text. */
export interface SecretList {
  readonly values: readonly string[]
  /** The text, if only commas separate the values: each comma may also be a part of a secret. */
  readonly whole: string | undefined
}

export interface SeparatedSecrets {
  readonly values: readonly string[]
  /** Whether the whole text is a valid secret as well. */
  readonly isAmbiguous: boolean
}

interface Scheme {
  /** @throws for an unusable secret */
  checkSecret?(secret: string): void | Promise<void>
}

/** Reads a JSON array of strings; undefined for any other text. */
export function readSecretArray(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const array: unknown = JSON.parse(text)
    return Array.isArray(array) && array.every((one) => typeof one === 'string')
      ? array.filter((one) => one.trim() !== '')
      : undefined
  } catch {
    return undefined
  }
}

/** Reads a JSON array of strings, or one secret per line. A block of PEM is one secret. */
export const readSecretLines = (text: string): readonly string[] =>
  readSecretArray(text) ?? trimAll(split(text, '\n'))

/** Reads a variable: an array, several lines, or one line of secrets that commas separate. */
export function readSecretVariable(text: string): SecretList {
  const array = readSecretArray(text)
  if (array) return { values: array, whole: undefined }
  const lines = trimAll(split(text, '\n'))
  const [line] = lines
  if (line === undefined || lines.length > 1) return { values: lines, whole: undefined }
  const values = trimAll(split(line, ','))
  return { values, whole: values.length > 1 ? line : undefined }
}

/** Separates secrets only at commas that end a secret of the scheme. */
export async function separateSecrets(
  { values, whole }: SecretList,
  scheme: Scheme,
): Promise<SeparatedSecrets> {
  if (whole === undefined) return { values, isAmbiguous: false }
  const separated: string[] = []
  let open = ''
  for (const part of split(whole, ',')) {
    if (open === '' && part.trim() === '') continue
    open = open === '' ? part : `${open},${part}`
    if (!(await isUsable(open.trim(), scheme))) continue
    separated.push(open)
    open = ''
  }
  // The scheme does not accept the rest alone, so the rest belongs to the last secret.
  const isOne = open !== '' && separated.length < 2
  if (open !== '') separated.push([...separated.splice(-1), open].join(','))
  return {
    values: isOne ? [whole] : trimAll(separated),
    isAmbiguous: separated.length > 1 && !separated.some(isVerifyToken) && (await isUsable(whole, scheme)),
  }
}

/** Describes for an operator how a text was read that may be one secret. */
export const describeSecretList = (name: string, { length }: readonly string[]): string =>
  `${name} is read as a list of ${length} secrets: if a comma belongs to a secret, write a JSON array of strings`

/** The comma before a verify token always separates it from the secret. */
const isVerifyToken = (text: string): boolean => text.trim().startsWith('verify:')

async function isUsable(secret: string, scheme: Scheme): Promise<boolean> {
  try {
    await scheme.checkSecret?.(secret)
    return true
  } catch {
    return false
  }
}

/** Splits a text, but not the blocks of PEM in it. */
function split(text: string, separator: ',' | '\n'): readonly string[] {
  const parts: string[] = []
  let isInBlock = false
  for (const part of text.split(separator)) {
    parts.push(isInBlock ? `${parts.pop() ?? ''}${separator}${part}` : part)
    const [begin, end] = [part.lastIndexOf('-----BEGIN '), part.lastIndexOf('-----END ')] as const
    if (begin !== end) isInBlock = begin > end
  }
  return parts
}

const trimAll = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => text.trim()).filter((text) => text !== '')
