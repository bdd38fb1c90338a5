import type { ServiceAnswers } from './questions.ts'

/** A text in single quotes. */
export const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** The code of a signature. */
export interface SignatureCode {
  readonly imports: readonly string[]
  readonly code: string
}

/** @throws TypeError for a value of the header that no option of a scheme describes */
export function writeSignature(answers: ServiceAnswers): SignatureCode {
  const { scheme, algorithm, encoding } = answers
  if (scheme === 'standard-webhooks') return { imports: ['standardWebhooks'], code: 'standardWebhooks()' }
  if (scheme === 'basic') return { imports: ['basicAuth'], code: 'basicAuth()' }
  const { imports, options, hasTime } = writeHeader(answers)
  if (scheme === 'token') {
    if (hasTime) throw new TypeError('A token has no time: use --value such as "Bearer {signature}"')
    return { imports: ['sharedToken'], code: `sharedToken({\n${options}  })` }
  }
  const isTimed = hasTime || answers.timeHeader !== ''
  const content = writeContent(answers, isTimed)
  const time = isTimed ? `    timestamp: ${writeTime(answers)},\n` : ''
  const lines = `    algorithm: ${quote(algorithm)},\n    encoding: ${quote(encoding)},\n${options}${time}${content}`
  return { imports: ['hmac', ...(isTimed ? ['signedTime'] : []), ...imports], code: `hmac({\n${lines}  })` }
}

interface HeaderCode {
  readonly imports: readonly string[]
  readonly options: string
  /** Whether the header of the signature has the time. */
  readonly hasTime: boolean
}

const fields = /^(\w+)([=:])\{timestamp\}(,|;|, | )(\w+)\2\{signature\}$/

function writeHeader({ header, value }: ServiceAnswers): HeaderCode {
  const name = quote(header.toLowerCase())
  const [before = '', after] = value.split('{signature}')
  if (after === '' && !before.includes('{')) {
    const prefix = before === '' ? '' : `    prefix: ${quote(before)},\n`
    return { imports: [], options: `    header: ${name},\n${prefix}`, hasTime: false }
  }
  const [, timestamp = '', divider = '=', separator = ',', signature = ''] = fields.exec(value) ?? []
  if (signature === '')
    throw new TypeError(
      `--value must be like {signature}, sha256={signature} or t={timestamp},v1={signature}, not "${value}"`,
    )
  const names = [
    `timestamp: ${quote(timestamp)}`,
    `signature: ${quote(signature)}`,
    ...(separator === ',' ? [] : [`separator: ${quote(separator)}`]),
    ...(divider === '=' ? [] : [`divider: ${quote(divider)}`]),
  ]
  return {
    imports: ['structuredHeader'],
    options: `    header: structuredHeader(${name}, { ${names.join(', ')} }),\n`,
    hasTime: true,
  }
}

function writeTime({ timeHeader, timeUnit }: ServiceAnswers): string {
  const options = [
    ...(timeHeader === '' ? [] : [`header: ${quote(timeHeader.toLowerCase())}`]),
    ...(timeUnit === 's' ? [] : [`unit: ${quote(timeUnit)}`]),
  ]
  return options.length === 0 ? 'signedTime()' : `signedTime({ ${options.join(', ')} })`
}

/** The parts of the signed content: texts, and the names of values. */
export function splitContent({ content }: ServiceAnswers, isTimed: boolean): readonly string[] {
  const template = content === '' ? (isTimed ? '{timestamp}.{body}' : '{body}') : content
  const parts = template.split(/(\{\w+\})/).filter((part) => part !== '')
  const unknown = parts.find(
    (part) => part.startsWith('{') && !/^\{(?:timestamp|body|url|method)\}$/.test(part),
  )
  if (unknown !== undefined)
    throw new TypeError(`--content must be of {timestamp}, {body}, {url} and {method}, not ${unknown}`)
  if (isTimed !== parts.includes('{timestamp}'))
    throw new TypeError('--content must have {timestamp} if, and only if, the service signs a time')
  return parts
}

function writeContent(answers: ServiceAnswers, isTimed: boolean): string {
  const parts = splitContent(answers, isTimed)
  if (parts.join('') === '{body}') return ''
  const names = parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1))
  const list = parts.map((part) => (part.startsWith('{') ? part.slice(1, -1) : quote(part)))
  return `    content: ({ ${names.join(', ')} }) => [${list.join(', ')}],\n`
}
