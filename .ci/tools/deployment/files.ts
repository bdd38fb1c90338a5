import { readdirSync, readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'
import { secretAddresses } from '../../../examples/reference-server/src/config/secret-addresses.ts'
import { secretList } from '../../../examples/reference-server/src/config/descriptions.ts'
import { settingSchemas } from '../../../examples/reference-server/src/config/settings.ts'

const root = new URL('../../../examples/reference-server/', import.meta.url)

export const getText = (path: string): string => readFileSync(new URL(path, root), 'utf8')

interface Service {
  readonly environment?: Readonly<Record<string, string | number>>
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
  readonly image: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: Readonly<Record<string, { readonly file: string }>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

export const compose = (): Compose => parse(getText('compose.yaml'), { merge: true }) as Compose

export interface Resource extends Readonly<Record<string, unknown>> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** The files in `kubernetes`, but for kustomize's own. */
export const resourceFiles = (): readonly string[] =>
  readdirSync(new URL('kubernetes', root)).filter(
    (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
  )

export const resources = (): readonly Resource[] =>
  resourceFiles().flatMap((file) =>
    parseAllDocuments(getText(`kubernetes/${file}`)).map((document) => document.toJS() as Resource),
  )

const providerSecret = /^WEBHOOK_SECRET_[A-Z0-9_]+$/

/** Names of variables that the server would not look at. */
export const unknownSettings = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !Object.hasOwn(settingSchemas, name) && !isSecret(name))

/** Names of files that the server would not look for in `SECRETS_DIR`. */
export const unknownSecrets = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !isSecret(name) && !(secretAddresses as readonly string[]).includes(name))

const isSecret = (name: string): boolean => Object.hasOwn(secretList, name) || providerSecret.test(name)
