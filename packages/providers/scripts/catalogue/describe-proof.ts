import type { ProofOptions, SignatureLocation } from '@sallyport/webhooks'
import { markBody, writeTemplate } from './marked-delivery.ts'
import type { CatalogueService } from './schema.ts'

type Parts = Omit<CatalogueService['signature'], 'scheme' | 'trust' | 'covers'>

/** Describes the headers, the members of the body and the content of a scheme that signs content. */
export async function describeProof(options: ProofOptions, sample: unknown): Promise<Parts> {
  const { header, prefix = '', encoding, timestamp, id, signedHeaders = [], content } = options
  const location = typeof header === 'object' && 'read' in header ? header : undefined
  const [first = ''] = location ? [] : [header as string | readonly string[]].flat()
  const written = location ? writeHeaders(location) : { [first.toLowerCase()]: `${prefix}{signature}` }
  const others = signedHeaders.map((name) => name.toLowerCase()).map((name) => [name, `{header.${name}}`])
  const headers = {
    ...written,
    ...(timestamp?.header && { [timestamp.header]: '{timestamp}' }),
    ...(id?.header && { [id.header]: '{id}' }),
    ...(Object.fromEntries(others) as Record<string, string>),
  }
  const builders = content ? [content].flat() : []
  const templates = await Promise.all(builders.map((build) => writeTemplate(build, sample)))
  const known = [...new Set(content ? templates.filter((one) => one !== undefined) : ['{body}'])]
  const field = location && findField(location, sample)
  return {
    encoding,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(field !== undefined && { field }),
    ...(location && findParameter(location)),
    ...(known.length > 0 && { content: known }),
    ...describeTime(timestamp, sample),
  }
}

const encoded = btoa('{signature}')

function writeHeaders(location: SignatureLocation): Readonly<Record<string, string>> {
  const written = Object.entries(location.write('{signature}', '{timestamp}'))
  const name = (value: string) =>
    value.includes('{signature}')
      ? value
      : value.includes(encoded)
        ? value.replace(encoded, '{signature:base64}')
        : '{token}'
  return Object.fromEntries(written.map(([header, value]) => [header, name(value)]))
}

/** Finds the member of the body into which a scheme writes its signature. */
function findField(location: SignatureLocation, sample: unknown): string | undefined {
  const empty = typeof sample === 'string' ? '' : '{}'
  const written = location.writeBody?.(new TextEncoder().encode(empty), '{signature}')
  if (written === undefined) return undefined
  const text = new TextDecoder().decode(written)
  const fields: unknown = text.startsWith('{')
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text))
  const find = (value: unknown): readonly string[] | undefined => {
    if (typeof value === 'string') return value.includes('{signature}') ? [] : undefined
    for (const [name, one] of Object.entries(value ?? {})) {
      const found = find(one)
      if (found) return [name, ...found]
    }
    return undefined
  }
  return find(fields)?.join('.')
}

/** Finds the parameter of the query into which a scheme writes its signature. */
function findParameter(location: SignatureLocation): Pick<Parts, 'parameter'> {
  const written = location.writeUrl?.('https://url.invalid/', '{signature}')
  const [parameter] = written === undefined ? [] : new URL(written).searchParams.keys()
  return parameter === undefined ? {} : { parameter }
}

function describeTime(timestamp: ProofOptions['timestamp'], sample: unknown): Pick<Parts, 'tolerance'> {
  if (timestamp?.time === undefined) return {}
  const { fromBody, unit = 's', toleranceSeconds: seconds = 300 } = timestamp.time
  const inBody = fromBody?.(markBody(sample))
  const from = typeof inBody === 'string' ? inBody : '{timestamp}'
  return { tolerance: { seconds, unit, from } }
}
