import type { Service } from '@sallyport/webhooks'
import { toKind } from '@sallyport/internal/kind'
import { encodeSampleBody, type ServiceSample } from '@sallyport/webhooks/testing'
import type { ServiceEntry } from '../load.ts'

const credentials =
  /whsec_|sk_live_|sk_test_|gh[pous]_\w{20}|xox[abpr]-\d|AKIA[A-Z\d]{9}(?!EXAMPLE)[A-Z\d]{7}|-----BEGIN/
/** Addresses of persons. */
const address = /[\w.+-]{1,64}@(?:gmail|googlemail|hotmail|icloud|outlook|proton|protonmail|yahoo)\.\w+/i

/** Lists the mistakes in the samples of a service. */
export function* listSampleMistakes({ provider, samples }: ServiceEntry): Generator<string> {
  if (samples.length < 2) yield 'The samples are fewer than two: record deliveries of two different events'
  for (const sample of samples) yield* listMistakesOf(provider, sample)
  const { events } = provider.service
  const paths = [events ?? []].flat()
  const isFound = samples.some(({ body }) => hasList(parseBody(provider, body), paths))
  const isJson = samples.every(({ body }) => typeof body !== 'string')
  if (isJson && paths.length > 0 && !isFound) yield `\`events\` matches no sample: ${paths.join(', ')}`
}

function* listMistakesOf(
  { signature }: Service,
  { kind, source, headers, body }: ServiceSample,
): Generator<string> {
  if (!isKind(kind)) yield `The kind "${kind}" of a sample is not a kind: write dots between its parts`
  if (source.trim() === '') yield `\`source\` of the sample ${kind} is empty: name the page or the file`
  const text = new TextDecoder().decode(encodeSampleBody(body)) + JSON.stringify(headers)
  if (credentials.test(text)) yield `The sample ${kind} has a secret: replace it`
  if (address.test(text)) yield `The sample ${kind} has the address of a person: use alice@example.com`
  const signed = [...(signature.signedHeaders ?? []), ...(signature.signedIds ?? [])]
  for (const name of Object.keys(headers)) {
    if (name !== name.toLowerCase()) yield `The header ${name} of the sample ${kind} is not in lower case`
    else if (signature.headers.includes(name) && !signed.includes(name))
      yield `The sample ${kind} has a signature in ${name}: remove it, the tests sign`
  }
}

function isKind(text: string): boolean {
  try {
    return toKind(text) === text
  } catch {
    return false
  }
}

function parseBody({ parse }: Service, body: unknown): unknown {
  return typeof body === 'string' || parse ? parse?.(encodeSampleBody(body)) : body
}

/** Whether the payload has the first member of a path. */
const hasList = (payload: unknown, paths: readonly string[]): boolean =>
  paths.some((path) => {
    const [first = ''] = path.split('.')
    return first === '*' ? Array.isArray(payload) : Object.hasOwn(Object(payload) as object, first)
  })
