/**
 * Providers that a configuration describes: an operator receives deliveries from any service that signs with HMAC or by Standard
 * Webhooks. The entry needs Node.
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import {
  base64Secret,
  defineService,
  hexSecret,
  hmac,
  signedId,
  signedTime,
  standardWebhooks,
  structuredHeader,
  type BuildContent,
  type Service,
  type SignatureScheme,
} from '@sallyport/webhooks'
import * as z from 'zod'

const headerName = z.string().regex(/^[\w-]+$/, 'has to be the name of a header')
const source = z.union([z.string().min(1), z.strictObject({ header: headerName })])
const sources = z.union([source, z.array(source).min(1)])

const common = {
  /** The path segment of the endpoint, and the first part of the names of events. */
  name: z.string(),
  /** The seconds for which a signed time is valid. */
  toleranceSeconds: z.number().positive().default(300),
  id: sources.optional(),
  subject: sources.optional(),
  /** The path of the time of the event. */
  time: source.optional(),
  /** The path of the list of events in a delivery. */
  events: z.string().optional(),
}

const hmacService = z.strictObject({
  ...common,
  scheme: z.literal('hmac'),
  /** The header of the signature. */
  header: headerName,
  /** The field of a header such as `t=1767225600,v1=…`. */
  field: z.string().optional(),
  prefix: z.string().default(''),
  algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256'),
  encoding: z.enum(['hex', 'hex-upper', 'base64', 'base64url']).default('hex'),
  /** How the service writes the secret. */
  key: z.enum(['text', 'base64', 'hex']).default('text'),
  /** The signed text, with `{body}`, `{timestamp}`, `{id}`, `{url}` and `{method}`. */
  content: z.string().default('{body}'),
  /** The signed time: a header, or a field of the header of the signature. */
  timestamp: z
    .union([z.strictObject({ header: headerName }), z.strictObject({ field: z.string() })])
    .optional(),
  timestampUnit: z.enum(['s', 'ms', 'ns', 'rfc3339']).default('s'),
  /** The header of the signed id. */
  idHeader: headerName.optional(),
  kind: sources,
})

const standardService = z.strictObject({
  ...common,
  scheme: z.literal('standard-webhooks'),
  /** The prefix of the headers, such as `svix`. */
  prefix: z
    .string()
    .regex(/^[\w-]+$/)
    .default('webhook'),
  /** Whether the secret is base64 or text. */
  secretEncoding: z.enum(['base64', 'utf8', 'base64-after-prefix']).default('base64'),
  kind: sources.default('type'),
})

const schema = z.discriminatedUnion('scheme', [hmacService, standardService])

/** The description of a service as JSON. */
type GenericService = z.input<typeof schema>

/**
 * Creates the provider of a described service.
 *
 * @throws TypeError for a description that is not usable
 */
function createGenericService(description: GenericService): Service {
  const result = schema.safeParse(description)
  if (!result.success) throw new TypeError(describeIssues(result.error))
  const { data } = result
  const { name, kind, id, subject, time, events } = data
  const signedIdHeader = data.scheme === 'hmac' ? data.idHeader : `${data.prefix}-id`
  const identity = id ?? (signedIdHeader === undefined ? undefined : { header: signedIdHeader })
  return defineService({
    name,
    signature: data.scheme === 'hmac' ? createHmac(data) : standardWebhooks(data),
    kind,
    ...(identity !== undefined && { id: identity }),
    ...(subject !== undefined && { subject }),
    ...(time !== undefined && { time }),
    ...(events !== undefined && { events }),
  })
}

function createHmac(service: z.output<typeof hmacService>): SignatureScheme {
  const { header, field, prefix, algorithm, encoding, key, timestamp, idHeader } = service
  const { timestampUnit: unit, toleranceSeconds } = service
  const timeField = timestamp && 'field' in timestamp ? timestamp.field : undefined
  const timeHeader = timestamp && 'header' in timestamp ? timestamp.header : undefined
  if (timeField !== undefined && field === undefined) throw new TypeError('"timestamp.field" needs "field"')
  const decoders = { text: undefined, base64: base64Secret(), hex: hexSecret() }
  const decode = decoders[key]
  return hmac({
    algorithm,
    encoding,
    prefix,
    header:
      field === undefined
        ? header
        : structuredHeader(header, {
            signature: field,
            ...(timeField !== undefined && { timestamp: timeField }),
          }),
    ...(decode && { key: decode }),
    ...(timestamp && {
      timestamp: signedTime({
        unit,
        toleranceSeconds,
        ...(timeHeader !== undefined && { header: timeHeader }),
      }),
    }),
    ...(idHeader !== undefined && { id: signedId({ header: idHeader }) }),
    content: createContent(service),
  })
}

const values = ['body', 'timestamp', 'id', 'url', 'method'] as const

function createContent({ content, timestamp, idHeader }: z.output<typeof hmacService>): BuildContent {
  const parts = content.split(/\{(\w+)\}/)
  const names = parts.filter((_, index) => index % 2 === 1)
  const isValue = (name: string): name is (typeof values)[number] => values.some((one) => one === name)
  const unknown = names.find((name) => !isValue(name))
  if (unknown !== undefined) throw new TypeError(`"content" has no value {${unknown}}`)
  if (!names.includes('body')) throw new TypeError('"content" must have {body}')
  if (names.includes('timestamp') !== (timestamp !== undefined))
    throw new TypeError('"timestamp" and {timestamp} in "content" belong together')
  if (names.includes('id') !== (idHeader !== undefined))
    throw new TypeError('"idHeader" and {id} in "content" belong together')
  return (signed) => parts.map((part, index) => (index % 2 === 1 && isValue(part) ? signed[part] : part))
}

const describeIssues = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `"${path.join('.')}": ${message}` : message))
    .join('; ')

/**
 * Reads the descriptions of services from a JSON list, or from a file with one.
 *
 * @param setting a text that begins with `[`, or a path; undefined for none
 */
export async function readGenericServices(setting: string | undefined): Promise<{
  readonly providers: readonly Service[]
  /** The reasons why a description is not usable. */
  readonly problems: readonly string[]
}> {
  if (!setting) return { providers: [], problems: [] }
  let list: unknown
  try {
    list = JSON.parse(setting.trimStart().startsWith('[') ? setting : await readFile(setting, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      providers: [],
      problems: [code === undefined ? 'not JSON' : `${setting} cannot be read (${code})`],
    }
  }
  if (!Array.isArray(list)) return { providers: [], problems: ['not a list'] }
  const providers: Service[] = []
  const problems: string[] = []
  for (const [index, description] of (list as GenericService[]).entries()) {
    try {
      providers.push(createGenericService(description))
    } catch (error) {
      problems.push(`service ${index + 1}: ${(error as Error).message}`)
    }
  }
  return { providers, problems }
}
