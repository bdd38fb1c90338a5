import type { z } from 'zod'
import {
  bytesIn,
  choice,
  durations,
  flag,
  groupRoles,
  integer,
  list,
  role,
  share,
  size,
  text,
  trustProxy,
} from './setting-types.ts'
import {
  bodyStoreUrl,
  busUrl,
  chatAddresses,
  destinationForm,
  httpAddress,
  listenAddress,
  networks,
  origin,
  origins,
  postgresUrl,
  publicOrigin,
} from './address-types.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const registrationModes = ['open', 'closed', 'invite'] as const

/** The environment variables that are settings, with their defaults as text. `secretList` has the secrets. */
export const settingSchemas = {
  NODE_ENV: text().prefault('development'),
  PORT: integer(0, 65_535).prefault('3111'),
  HOST: listenAddress.prefault('::'),
  DATA_DIR: text('a path').prefault('./data'),
  ROLE: role.prefault('all'),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATE: flag.prefault('1'),
  ENCRYPT_BODIES: flag.prefault('0'),
  ENCRYPT_SUBJECTS: flag.prefault('0'),
  BODY_STORE_URL: bodyStoreUrl.optional(),
  BODY_STORE_ABOVE: size.prefault('256kb'),
  BUS_URL: busUrl('bus', [destinationForm]).optional(),
  BUS_EVENT_LIMIT: size.refine((bytes) => bytes > 0, 'has to be 1b at least').optional(),
  ROUTES_FILE: text('a path').optional(),
  RECONCILE_FILE: text('a path').optional(),
  DESTINATION_ALLOW_PRIVATE: networks.prefault('0'),
  QUEUE_URL: busUrl('queue').optional(),
  INBOUND_QUEUE_URL: busUrl('deliveries').optional(),
  PROVIDERS: list.optional(),
  PROVIDER_MODULES: list.optional(),
  GENERIC_PROVIDERS: text('a JSON list or a path').optional(),
  PROVIDER_ONLY: list.prefault(''),
  ALLOW_UNSIGNED: list.prefault(''),
  MANUAL_TESTS_OFF: list.prefault(''),
  SEARCH_PATHS: list.prefault(''),
  REDACT: list.prefault(''),
  WEBHOOK_BODY_LIMIT: size
    // An address may have 64 MiB of bodies in memory. A larger body would be answered with 503 forever.
    .refine((bytes) => bytes > 0 && bytes <= 64 * bytesIn.mb, 'has to be from 1b to 64mb')
    .prefault('1mb'),
  LIMITER_ALLOW_VERIFIED: flag.prefault('0'),
  ENDPOINT_RATE_LIMIT: integer(1, 10_000_000).prefault('6000'),
  DISABLED_ENDPOINT_STATUS: choice(['404', '410']).prefault('410'),
  ENDPOINTS_FILE: text('a path').optional(),
  SUBSCRIPTIONS_FILE: text('a path').optional(),
  QUEUE_PILOTS: list.prefault(''),
  BUS_TIMEOUT_MS: integer(1, 10_000).prefault('5000'),
  RETENTION_DAYS: integer(1, 36_500).prefault('14'),
  BODY_RETENTION_DAYS: integer(0, 36_500).prefault('7'),
  BODY_MAX_BYTES: size.prefault('10gb'),
  DEDUPE_DAYS: integer(1, 36_500).prefault('90'),
  MAX_EVENT_AGE_DAYS: integer(1, 36_500).optional(),
  AUDIT_RETENTION_DAYS: integer(1, 36_500).prefault('90'),
  KEEP_UNPROCESSED_HOURS: integer(0, 168).prefault('24'),
  KEEP_UNPROCESSED_BYTES: size
    .refine((bytes) => bytes >= bytesIn.mb, 'has to be 1mb at least')
    .prefault('100mb'),
  KEEP_UNPROCESSED_BODY_BYTES: size
    .refine((bytes) => bytes > 0 && bytes <= bytesIn.mb, 'has to be from 1b to 1mb')
    .prefault('256kb'),
  JSON_BODY_LIMIT: size.refine((bytes) => bytes > 0, 'has to be 1b at least').prefault('10kb'),
  RATE_LIMIT: integer(1, 1_000_000).prefault('600'),
  RATE_LIMIT_AUTH: integer(1, 1_000_000).prefault('20'),
  RESOURCES: choice(['on', 'off']).prefault('on'),
  REGISTRATION: choice(registrationModes).optional(),
  REQUIRE_CURRENT_PASSWORD: flag.prefault('0'),
  PASSWORD_LOGIN: choice(['on', 'off']).prefault('on'),
  OIDC_ISSUER: httpAddress.optional(),
  OIDC_CLIENT_ID: text().optional(),
  OIDC_ROLES: groupRoles.optional(),
  OIDC_CLAIM: text().prefault('groups'),
  OIDC_SCOPE: text('space separated').prefault('openid email profile'),
  OIDC_NAME: text().prefault('single sign-on'),
  OIDC_SESSION_HOURS: integer(1, 168).prefault('8'),
  TRUST_PROXY: trustProxy.optional(),
  CORS_ORIGINS: origins.optional(),
  CONSOLE: flag.prefault('1'),
  OPERATOR_URL: httpAddress.optional(),
  ALERT_URLS: chatAddresses.optional(),
  ALERT_PENDING_SECONDS: integer(1, 86_400).prefault('300'),
  ALERT_SILENT_FOR: durations.prefault(''),
  ALERT_SILENCE_LEARNED: flag.prefault('1'),
  PUBLIC_URL: publicOrigin.optional(),
  JWT_ISSUER: text().prefault('sallyport'),
  JWT_AUDIENCE: text().prefault('sallyport'),
  SECRETS_DIR: text('a path').optional(),
  SECRETS_COMMAND: text('a command of the shell').optional(),
  SECRETS_LEASE_SECONDS: integer(1, 604_800).prefault('3600'),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: listenAddress.prefault('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional(),
  OTEL_SERVICE_NAME: text().prefault('sallyport'),
  OTEL_TRACES_SAMPLER_ARG: share.prefault('1'),
  DRAIN_SECONDS: integer(0, 3599).prefault('0'),
  SHUTDOWN_SECONDS: integer(1, 3600).prefault('10'),
  ACCESS_LOG: flag.prefault('0'),
  LOG_LEVEL: choice(logLevels).prefault('info'),
} satisfies Record<string, z.ZodType>

export type Settings = { [Name in keyof typeof settingSchemas]: z.output<(typeof settingSchemas)[Name]> }

/** Reads the settings; an empty variable counts as unset. Each problem is one line. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings
  readonly problems: readonly string[]
} {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(settingSchemas)) {
    const result = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (result.success) values[name] = result.data
    else for (const { message } of result.error.issues) problems.push(`${name} ${message}`)
  }
  // Complete unless there are problems.
  return { settings: values as Settings, problems }
}
