import type { settingSchemas } from './settings.ts'

/** The descriptions of the settings, for `docs/configuration.md` and `.env.example`. */
export const settingDescriptions: Readonly<Record<keyof typeof settingSchemas, string>> = {
  NODE_ENV: '`production` refuses generated secrets',
  PORT: 'The port; 0 selects a free port',
  HOST: 'The address to listen on; `::` is every address, IPv4 included',
  DATA_DIR:
    'The folder of the SQLite file and, in development, of `secrets.json`; created with mode 0700. Unused in production with DATABASE_URL',
  ROLE: 'The tasks of the process; processes with different roles on one database share the work. In production, other values than `all` need DATABASE_URL',
  DATABASE_URL:
    'The PostgreSQL database. The URL must name the database unless PGDATABASE does. Default: a SQLite file in DATA_DIR',
  MIGRATE: '`0` runs no migrations on PostgreSQL; the server then refuses to start if a migration is missing',
  ENCRYPT_BODIES:
    '`1` encrypts bodies, headers, data of events and answers of destinations in the database with ENCRYPTION_KEYS',
  ENCRYPT_SUBJECTS:
    '`1` encrypts the subjects of events too, and hashes the names of lanes. A search finds whole subjects only. Needs ENCRYPT_BODIES=1',
  BODY_STORE_URL:
    'The bucket for large bodies. Credentials come from the environment, as for every client of AWS. `&endpoint=https://…` selects another service with the protocol of S3. Default: all bodies are in the database',
  BODY_STORE_ABOVE: 'The largest body that the database keeps with BODY_STORE_URL',
  BUS_URL:
    'The bus that receives events, or the destination that receives each delivery as it came, with DESTINATION_SECRET. Default: a table in the database',
  BUS_EVENT_LIMIT:
    'The largest event on the bus at BUS_URL and in the queue at QUEUE_URL; a larger event is published with a reference (`dataref`) instead of its data. Default: the limit of the engine',
  ROUTES_FILE:
    'A JSON or YAML file with routes of events to several buses, and with destinations over HTTP. Destinations are read again after a change. Default: all events go to the bus at BUS_URL',
  RECONCILE_FILE:
    'A JSON or YAML file with services whose failed deliveries are found and recovered. Default: none',
  DESTINATION_ALLOW_PRIVATE:
    'The addresses that are not public and that destinations may reach, also over http: `1` for all of them',
  QUEUE_URL: 'The shared queue for QUEUE_PILOTS. Default: a table in the database',
  INBOUND_QUEUE_URL:
    'A queue of deliveries that API Gateway wrote, for services that never send again; the role `gateway` takes them. Default: deliveries arrive by HTTP only',
  PROVIDERS:
    'The providers to register. Default: every built-in provider with a secret in the environment or SECRETS_DIR, and of SECRETS_COMMAND `tasks`, `messaging`, `deploy` and `codehost`',
  PROVIDER_MODULES:
    'Modules, by name or path, whose default export is a provider or a list of providers; PROVIDERS may name these providers. A provider with the name of a built-in one replaces it',
  GENERIC_PROVIDERS:
    'Services that sign with HMAC or by Standard Webhooks, as a JSON list or a file with one; PROVIDERS may name these services',
  PROVIDER_ONLY:
    'The kinds to record, such as `github/push` or `github/pull_request.*`; a provider without an entry records all kinds. Default: none',
  ALLOW_UNSIGNED:
    'Providers to register although their signature does not cover the whole body, so that deliveries may be forged. Default: none',
  MANUAL_TESTS_OFF:
    'Providers that treat a manual test, `{"type": "<kind>", "payload": {…}}`, like any other delivery; `all` for all providers. Default: none',
  SEARCH_PATHS:
    'Values by which the search finds deliveries, such as `shopify/order_number`, `stripe/data.object.customer` or `github/header:x-github-hook-id`; `*` in a path stands for each element of a list. Default: the ids of events, deliveries and requests only',
  REDACT:
    'Values that are removed before anything is stored or published, such as `stripe/data.object.billing_details`, `*/**.email` or `shopify/header:x-email`; `*` in a path is any member, and `**` any number of them. The values cannot be recovered. Default: none',
  WEBHOOK_BODY_LIMIT: 'The largest webhook body, up to `64mb`; a provider may set another limit',
  LIMITER_ALLOW_VERIFIED:
    '`1` accepts verified deliveries from a blocked address. For services that send from addresses shared by their customers',
  ENDPOINT_RATE_LIMIT: 'Verified deliveries per endpoint, minute and process; more are answered with 429',
  DISABLED_ENDPOINT_STATUS: 'The status of responses to deliveries for a disabled endpoint',
  ENDPOINTS_FILE:
    'A JSON or YAML file with endpoints, which is read again when it changes. Default: the API manages all endpoints',
  SUBSCRIPTIONS_FILE:
    'A JSON or YAML file with webhooks that the server registers at services and keeps registered; it needs PUBLIC_URL. An empty list removes those of earlier. Default: none',
  QUEUE_PILOTS: 'Providers whose queueable events use the shared queue. Default: none',
  BUS_TIMEOUT_MS: 'The timeout of one publish attempt, in milliseconds',
  RETENTION_DAYS: 'Retention of published events, in days',
  BODY_RETENTION_DAYS: 'Retention of raw webhook bodies, in days',
  BODY_MAX_BYTES:
    'The largest total size of stored raw bodies, compressed; the oldest bodies are deleted first',
  DEDUPE_DAYS:
    'Retention of idempotency keys, in days: a redelivery within this time is a duplicate. At least RETENTION_DAYS',
  MAX_EVENT_AGE_DAYS:
    'Quarantines deliveries whose signed time is older, in days. Use at most DEDUPE_DAYS, so that an old captured delivery cannot become a new event',
  AUDIT_RETENTION_DAYS: 'Retention of the audit log, in days: what operators replayed, erased and changed',
  KEEP_UNPROCESSED_HOURS:
    'The time for which ignored deliveries and deliveries with an invalid signature are kept to inspect and replay them, in hours; `0` keeps none',
  KEEP_UNPROCESSED_BYTES:
    'The largest total size of these deliveries, a half each for ignored and refused ones; beyond it, the provider or endpoint with the most bytes loses first, and there the client network with the most, its oldest',
  KEEP_UNPROCESSED_BODY_BYTES:
    'The largest body to keep, up to `1mb`; a longer body is cut, and its delivery cannot be replayed',
  JSON_BODY_LIMIT: 'The largest JSON body of the REST API',
  RATE_LIMIT: 'REST API requests per client and minute',
  RATE_LIMIT_AUTH:
    'Registrations, logins and token refreshes, each per address and minute; password changes per user and minute',
  RESOURCES:
    '`off` serves no posts, comments, projects and tasks, which demonstrate the REST kit; users and operations stay',
  REGISTRATION:
    'Who may register: `open` everyone, `closed` only an admin registers users, `invite` everyone with an invitation of an admin. Default: `open`, with a notice in production',
  REQUIRE_CURRENT_PASSWORD: '`1` requires `current_password` to change a password or an e-mail address',
  PASSWORD_LOGIN:
    '`off` refuses passwords except that of ADMIN_EMAIL, and closes the registration; needs OIDC_ISSUER',
  OIDC_ISSUER:
    'The issuer of OpenID Connect where users of the console log in, as in `iss` of its tokens. Needs PUBLIC_URL, OIDC_CLIENT_ID, OIDC_ROLES, and OIDC_CLIENT_SECRET or OIDC_PRIVATE_KEY. Default: passwords only',
  OIDC_CLIENT_ID: 'The client id at the issuer',
  OIDC_ROLES:
    'The roles of groups: `viewer`, `support`, `operator`, `admin`, or the permissions of one, also limited to endpoints by labels. A user of several groups has the highest role, and a user of none is refused',
  OIDC_CLAIM: 'The claim of the ID token with the groups of a user: a text or a list',
  OIDC_SCOPE: 'The scope to request; some issuers need another one for groups',
  OIDC_NAME: 'The name of the issuer on the login page',
  OIDC_SESSION_HOURS:
    'The duration of a session after a login at the issuer, in hours. A role that changes there takes effect at the next login',
  TRUST_PROXY:
    'The proxies whose X-Forwarded-For is trusted: their number, up to 99, or their addresses (CIDR ranges, `loopback`, `linklocal`, `uniquelocal`). Default: none',
  CORS_ORIGINS:
    'The origins whose scripts may use the REST API in a browser; `*` is every origin. Default: none',
  CONSOLE: '`0` serves no console at `/console`. Its files have no data; the API checks every request',
  OPERATOR_URL:
    'The URL that receives notifications and alerts by POST. Default: notifications go to the log, with the text at debug level',
  ALERT_URLS:
    'Webhooks of Slack, Discord and Teams that receive alerts, as OPERATOR_URL does. Default: no alerts in a chat',
  ALERT_PENDING_SECONDS: 'The age of the oldest pending event that causes an alert, in seconds',
  ALERT_SILENT_FOR:
    'How long providers and endpoints may receive no delivery, such as `github=2h, endpoint/acme=1d`, up to 14 days. Default: no limit',
  ALERT_SILENCE_LEARNED:
    '`0` sends no alert about a provider without a limit that is silent for longer than usual in its last two weeks',
  PUBLIC_URL: 'The public origin of the server, for links and for schemes that sign the URL',
  JWT_ISSUER: '`iss` of access tokens',
  JWT_AUDIENCE: '`aud` of access tokens',
  SECRETS_DIR: 'A folder with one file per secret; the file is named like the variable',
  SECRETS_COMMAND:
    'A command that prints a secret; its last argument is the name of the secret. It may fail for a secret that it does not have',
  SECRETS_LEASE_SECONDS: 'The time after which SECRETS_COMMAND runs again, in seconds',
  METRICS_PORT: 'The port of `/metrics` for Prometheus. Default: no metrics',
  METRICS_HOST: 'The address on which `/metrics` listens. `/metrics` has no authentication',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'The OTLP endpoint for traces, over HTTP (protobuf). Default: no traces',
  OTEL_SERVICE_NAME: 'The name of the service in traces',
  OTEL_TRACES_SAMPLER_ARG: 'The fraction of deliveries to trace',
  DRAIN_SECONDS:
    'After SIGTERM, the time for which the server still accepts requests while `/ready` is 503, in seconds',
  SHUTDOWN_SECONDS: 'The longest duration of a stop, in seconds',
  ACCESS_LOG: '`1` logs every request of the REST API at `info`',
  LOG_LEVEL: 'The lowest level in the log',
}

/** The secrets of the server with their descriptions; `<PROVIDER>` is the name of a provider. */
export const secretList = {
  JWT_SECRET:
    'At least 32 bytes. Signs access tokens; creates refresh tokens, cursors and fingerprints of idempotent requests. Required in production',
  JWT_KEYS: 'Private keys, as PEM or JSON Web Keys, that sign access tokens instead of JWT_SECRET',
  'WEBHOOK_SECRET_<PROVIDER>':
    'The signing secret of a provider; its name is upper-case, with underscores for dashes',
  'BUS_URL_<NAME>': 'The address of a further bus, in the forms of BUS_URL; required if ROUTES_FILE names it',
  DESTINATION_SECRET:
    '`whsec_` and base64, or the secret of a provider whose scheme signs; newest first. Signs the requests to destinations',
  'DESTINATION_SECRET_<NAME>': 'The secret of a destination of ROUTES_FILE that names it',
  'API_TOKEN_<NAME>':
    'A token of the API of a service, which RECONCILE_FILE and SUBSCRIPTIONS_FILE name in `token_name`; it is read again when its lease ends, and after an answer of 401',
  ENCRYPTION_KEYS:
    '32 bytes each, in base64 or hexadecimal, newest first. Encrypt the secrets of endpoints, the destinations of the API and, with ENCRYPT_BODIES=1, stored deliveries; the first encrypts, all decrypt. Without a key, no endpoint and no destination can be created',
  OIDC_CLIENT_SECRET: 'The secret of the client at OIDC_ISSUER',
  OIDC_PRIVATE_KEY:
    'A private key, as PEM or a JSON Web Key, by which the client authenticates instead of OIDC_CLIENT_SECRET',
  OPERATOR_SECRET:
    '`whsec_` and base64. Signs notifications and alerts to OPERATOR_URL; required with OPERATOR_URL',
  ADMIN_EMAIL:
    'The email address of the first admin. The server creates the account if the address is unused',
  ADMIN_PASSWORD: 'The initial password of the first admin, 8 to 128 characters; required with ADMIN_EMAIL',
} as const
