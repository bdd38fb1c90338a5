import type { z } from 'zod';
/** The environment variables that are settings, with their defaults as text. `secretList` has the secrets. */
export declare const settingSchemas: {
    NODE_ENV: z.ZodPrefault<z.ZodString>;
    PORT: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    HOST: z.ZodPrefault<z.ZodString>;
    DATA_DIR: z.ZodPrefault<z.ZodString>;
    ROLE: z.ZodPrefault<z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<ReadonlySet<"api" | "dispatcher" | "drainer" | "gateway">, string[]>>>;
    DATABASE_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    MIGRATE: z.ZodPrefault<z.ZodPipe<z.ZodEnum<{
        0: "0";
        1: "1";
        false: "false";
        true: "true";
    }>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>>;
    BUS_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    BUS_EVENT_LIMIT: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    ROUTES_FILE: z.ZodOptional<z.ZodString>;
    QUEUE_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    INBOUND_QUEUE_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    PROVIDERS: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    PROVIDER_MODULES: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    GENERIC_PROVIDERS: z.ZodOptional<z.ZodString>;
    PROVIDER_ONLY: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    ALLOW_UNSIGNED: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    MANUAL_TESTS_OFF: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    WEBHOOK_BODY_LIMIT: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    LIMITER_ALLOW_VERIFIED: z.ZodPrefault<z.ZodPipe<z.ZodEnum<{
        0: "0";
        1: "1";
        false: "false";
        true: "true";
    }>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>>;
    ENDPOINT_RATE_LIMIT: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    DISABLED_ENDPOINT_STATUS: z.ZodPrefault<z.ZodEnum<{
        404: "404";
        410: "410";
    }>>;
    ENDPOINTS_FILE: z.ZodOptional<z.ZodString>;
    QUEUE_PILOTS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>;
    BUS_TIMEOUT_MS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    RETENTION_DAYS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    BODY_RETENTION_DAYS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    BODY_MAX_BYTES: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    DEDUPE_DAYS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    MAX_EVENT_AGE_DAYS: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    AUDIT_RETENTION_DAYS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    KEEP_UNPROCESSED_HOURS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    KEEP_UNPROCESSED_BYTES: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    KEEP_UNPROCESSED_BODY_BYTES: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    JSON_BODY_LIMIT: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    RATE_LIMIT: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    RATE_LIMIT_AUTH: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    REGISTRATION: z.ZodOptional<z.ZodEnum<{
        closed: "closed";
        invite: "invite";
        open: "open";
    }>>;
    REQUIRE_CURRENT_PASSWORD: z.ZodPrefault<z.ZodPipe<z.ZodEnum<{
        0: "0";
        1: "1";
        false: "false";
        true: "true";
    }>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>>;
    TRUST_PROXY: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<import("../http/client-address.ts").TrustProxy, string>>>;
    CORS_ORIGINS: z.ZodOptional<z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<"*" | readonly string[], string[]>>>;
    CONSOLE: z.ZodPrefault<z.ZodPipe<z.ZodEnum<{
        0: "0";
        1: "1";
        false: "false";
        true: "true";
    }>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>>;
    OPERATOR_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    ALERT_URLS: z.ZodOptional<z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<{
        service: "discord" | "slack" | "teams";
        url: string;
    }[], string[]>>>;
    ALERT_PENDING_SECONDS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    PUBLIC_URL: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    JWT_ISSUER: z.ZodPrefault<z.ZodString>;
    JWT_AUDIENCE: z.ZodPrefault<z.ZodString>;
    SECRETS_DIR: z.ZodOptional<z.ZodString>;
    SECRETS_COMMAND: z.ZodOptional<z.ZodString>;
    SECRETS_LEASE_SECONDS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    METRICS_PORT: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    METRICS_HOST: z.ZodPrefault<z.ZodString>;
    OTEL_EXPORTER_OTLP_ENDPOINT: z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    OTEL_SERVICE_NAME: z.ZodPrefault<z.ZodString>;
    OTEL_TRACES_SAMPLER_ARG: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    DRAIN_SECONDS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    SHUTDOWN_SECONDS: z.ZodPrefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>>;
    ACCESS_LOG: z.ZodPrefault<z.ZodPipe<z.ZodEnum<{
        0: "0";
        1: "1";
        false: "false";
        true: "true";
    }>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>>;
    LOG_LEVEL: z.ZodPrefault<z.ZodEnum<{
        debug: "debug";
        error: "error";
        fatal: "fatal";
        info: "info";
        silent: "silent";
        trace: "trace";
        warn: "warn";
    }>>;
};
export type Settings = {
    [Name in keyof typeof settingSchemas]: z.output<(typeof settingSchemas)[Name]>;
};
/** Reads the settings; an empty variable counts as unset. Each problem is one line. */
export declare function readSettings(environment: Readonly<Record<string, string | undefined>>): {
    readonly settings: Settings;
    readonly problems: readonly string[];
};
/** The secrets of the server with their descriptions; `<PROVIDER>` is the name of a provider. */
export declare const secretList: {
    readonly JWT_SECRET: 'At least 32 bytes. Signs access tokens; creates refresh tokens, cursors and fingerprints of idempotent requests. Required in production';
    readonly JWT_KEYS: 'Private keys, as PEM or JSON Web Keys, that sign access tokens instead of JWT_SECRET';
    readonly 'WEBHOOK_SECRET_<PROVIDER>': 'The signing secret of a provider; its name is upper-case, with underscores for dashes';
    readonly 'BUS_URL_<NAME>': 'The address of a further bus, in the forms of BUS_URL; required if ROUTES_FILE names it';
    readonly ENCRYPTION_KEYS: '32 bytes each, in base64 or hexadecimal, newest first. Encrypt the secrets of endpoints; the first encrypts, all decrypt. Without a key, no endpoint can be created';
    readonly OPERATOR_SECRET: '`whsec_` and base64. Signs notifications and alerts to OPERATOR_URL; required with OPERATOR_URL';
    readonly ADMIN_EMAIL: 'The email address of the first admin. The server creates the account if the address is unused';
    readonly ADMIN_PASSWORD: 'The initial password of the first admin, 8 to 128 characters; required with ADMIN_EMAIL';
};
