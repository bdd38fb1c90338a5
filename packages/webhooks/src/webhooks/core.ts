import type { AuditLog } from '../audit/audit-log.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { WebhookDatabase, WebhookInbox } from './database.ts'
import { hasMethod } from './has-method.ts'
import { readPlace, type Place } from './hosts.ts'
import type { AnyOptions } from './options.ts'
import { printError, type ReportError } from './report.ts'
import { openKeys, type KeyRing } from './secrets.ts'

/** What the parts of `createWebhooks` share. */
export interface Core {
  readonly database: WebhookDatabase
  readonly inbox: WebhookInbox
  readonly audit: AuditLog | undefined
  readonly ring: KeyRing
  readonly providers: readonly AnyProvider[]
  readonly place: Place
  readonly telemetry: Telemetry | undefined
  readonly onError: ReportError
}

/** @throws TypeError for a database that is not open, an invalid path or URL, and for invalid keys */
export function openCore(options: AnyOptions): Core {
  const { database, providers, telemetry, onError = printError } = options
  if (!hasMethod(database, 'inbox'))
    throw new TypeError('Set database to an open database: await openSqlite({ path: … })')
  const place = readPlace(options)
  const ring = openKeys(options.encryptionKeys)
  const inbox = database.inbox({ onError: (error) => onError(error, 'inbox') })
  return {
    ...{ database, providers, place, ring, telemetry, onError },
    inbox: telemetry?.inbox(inbox) ?? inbox,
    audit: database.audit?.(),
  }
}
