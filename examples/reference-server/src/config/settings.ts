import { compileTrust, type TrustProxy } from '../http/client-address.ts'
import { buses } from '../engines/buses.ts'
import { engineUrl } from '../engines/engine-url.ts'
import { queues } from '../engines/queues.ts'
import { parseRoles, roles } from './roles.ts'
import { z } from 'zod'

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, 'has to be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `has to be between ${minimum} and ${maximum}`)

const bytesIn = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

const size = z
  .string()
  .regex(/^[0-9]+ ?(b|kb|mb|gb)?$/i, 'has to be a size such as 10kb or 1048576')
  .transform((text) => {
    const unit = /[a-z]+$/i.exec(text)?.[0].toLowerCase() ?? 'b'
    return Number.parseInt(text, 10) * bytesIn[unit as keyof typeof bytesIn]
  })

const share = z
  .string()
  .regex(/^(0?\.[0-9]+|[01](\.0*)?)$/, 'has to be a number from 0 to 1')
  .transform(Number)

const flag = z
  .enum(['0', '1', 'true', 'false'], 'has to be 1 or 0')
  .transform((text) => text === '1' || text === 'true')

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const role = list.transform((names, context) => {
  const parsed = parseRoles(names)
  if (parsed !== undefined) return parsed
  context.addIssue(`has to be all, or some of ${roles.join(', ')}, comma separated`)
  return z.NEVER
})

const trustProxy = z.string().transform((text, context): TrustProxy => {
  const trust = compileTrust(text)
  if (trust !== undefined) return trust
  context.addIssue('has to be a number of proxies or a list of addresses and CIDR ranges')
  return z.NEVER
})

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return text.replace(/\/+$/, '')
  context.addIssue('has to be an http or https address')
  return z.NEVER
})

/** What every path is put behind: with anything after it, no signature over an address would hold. */
const publicOrigin = origin.refine(
  (text) => /^https?:\/\/[^@?#]+$/i.test(text),
  'has to be an http or https address, without a user, a query or a fragment in it',
)

const httpAddress = z.string().transform((text, context) => {
  const url = URL.parse(text)
  const isPlain = url?.username === '' && url.password === ''
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return text
  context.addIssue('has to be an http or https address, without a user or password in it')
  return z.NEVER
})

const postgresUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return text
  context.addIssue('has to be an address such as postgres://user:password@host:5432/database')
  return z.NEVER
})

/** Every environment variable that is a setting; secrets have a schema of their own. */
const settings = {
  NODE_ENV: z.string().default('development').describe('`production` refuses to start on generated secrets'),
  PORT: integer(0, 65_535).default(3111).describe('The port; 0 lets the system choose'),
  HOST: z.string().default('::').describe('The address to listen on'),
  ROLE: role
    .default(new Set(roles))
    .describe('What the process does: `all`, or some of `api`, `gateway`, `dispatcher`, `drainer`'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe('The PostgreSQL database; without it, everything is in a SQLite file'),
  BUS_URL: engineUrl(buses)
    .optional()
    .describe('The bus that events are published on; without it, they are in the database'),
  QUEUE_URL: engineUrl(queues)
    .optional()
    .describe('The shared queue of QUEUE_PILOTS; without it, it is in the database'),
  DATA_DIR: z.string().default('./data').describe('Where the SQLite file and generated secrets are kept'),
  PROVIDERS: list.optional().describe('Names of the providers to register, comma separated'),
  PROVIDER_MODULES: list
    .optional()
    .describe('Modules, by name or path, whose default exports are providers that PROVIDERS may name'),
  WEBHOOK_BODY_LIMIT: size
    // The bodies of one address have no more room: a larger one would be told to come again for ever.
    .refine((bytes) => bytes > 0 && bytes <= 64 * bytesIn.mb, 'has to be from 1b to 64mb')
    .default(1024 * 1024)
    .describe('Largest webhook body, unless the provider says otherwise'),
  LIMITER_ALLOW_VERIFIED: flag.default(false).describe('Let verified deliveries of a blocked address pass'),
  QUEUE_PILOTS: list
    .default([])
    .describe('Providers whose queueable events go through the shared queue, comma separated'),
  BUS_TIMEOUT_MS: integer(1, 10_000).default(5000).describe('How long one attempt to publish may take'),
  RETENTION_DAYS: integer(1, 36_500).default(14).describe('How long the record of a published event is kept'),
  BODY_RETENTION_DAYS: integer(0, 36_500).default(7).describe('How long raw bodies of webhooks are kept'),
  BODY_MAX_BYTES: size
    .default(10 * 1024 ** 3)
    .describe('How much of raw bodies is kept, as they are stored; the oldest go first'),
  DEDUPE_DAYS: integer(1, 36_500)
    .default(90)
    .describe('How long the key of an event is kept, which makes what comes again a duplicate'),
  MAX_EVENT_AGE_DAYS: integer(1, 36_500)
    .optional()
    .describe('Deliveries of older events, by their signed time, are quarantined'),
  JSON_BODY_LIMIT: size.default(10 * 1024).describe('Largest JSON body of the REST API'),
  RATE_LIMIT: integer(1, 1_000_000).default(600).describe('Requests to the REST API, a client and minute'),
  RATE_LIMIT_AUTH: integer(1, 1_000_000)
    .default(20)
    .describe('Registrations, logins and refreshed tokens, of each an address and minute'),
  TRUST_PROXY: trustProxy
    .optional()
    .describe('Whose X-Forwarded-For counts: a number of proxies, or their addresses and CIDR ranges'),
  OPERATOR_URL: httpAddress
    .optional()
    .describe('Where messages to the operators are posted; without it, they are in the log'),
  PUBLIC_URL: publicOrigin.optional().describe('The origin that clients use'),
  JWT_ISSUER: z.string().default('sallyport').describe('`iss` of access tokens'),
  JWT_AUDIENCE: z.string().default('sallyport').describe('`aud` of access tokens'),
  SECRETS_DIR: z.string().optional().describe('A folder with one file per secret, named like the variable'),
  SECRETS_COMMAND: z
    .string()
    .optional()
    .describe('A command that prints the secret whose name is its last argument'),
  SECRETS_LEASE_SECONDS: integer(1, 604_800)
    .default(3600)
    .describe('How long a secret that the command printed is used until it is asked for again'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('The port of `/metrics`, for Prometheus; without it, there is none'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('The address that `/metrics` is listened for on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin
    .optional()
    .describe('Where traces go, by OTLP over HTTP; without it, nowhere'),
  OTEL_SERVICE_NAME: z.string().default('sallyport').describe('What traces call this service'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1).describe('The share of deliveries that are traced, from 0 to 1'),
  SHUTDOWN_SECONDS: integer(1, 3600).default(10).describe('How long a stop may take'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
} satisfies Record<string, z.ZodType>

export type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

/** Reads the settings; an empty variable counts as unset. Every problem is reported, a line each. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings
  readonly problems: readonly string[]
} {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(settings)) {
    const result = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (result.success) values[name] = result.data
    else for (const { message } of result.error.issues) problems.push(`${name} ${message}`)
  }
  // Each value is the output of the schema of the same name; with problems it is not used.
  return { settings: values as Settings, problems }
}
