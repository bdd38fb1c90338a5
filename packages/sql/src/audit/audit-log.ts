import { uuidV7 } from '@sallyport/internal/uuid-v7'
import type { AuditDetail, AuditEntry, AuditFilter, AuditLog } from '@sallyport/webhooks/audit'
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely'
import { deleteInBatches } from '../internal/delete-in-batches.ts'
import { countRows, selectPage } from '../internal/page.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { AuditEntriesTable, AuditTables } from './tables.ts'

export interface KyselyAuditLogOptions<Tables> {
  /** The database for lists, such as the `reads` of a SQLite database. @default the database */
  readonly reads?: Kysely<Tables>
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Stores audit entries. */
export function kyselyAuditLog<Tables>(
  database: Kysely<Tables>,
  options: KyselyAuditLogOptions<Tables> = {},
): AuditLog {
  const { now = Date.now } = options
  const db = database as unknown as Kysely<AuditTables>
  const reads = (options.reads ?? database) as unknown as Kysely<AuditTables>
  const createId = uuidV7(now)
  const selectEntries = (filter: AuditFilter) =>
    reads.selectFrom('audit_entries').where((entry) => matching(entry, filter))

  return {
    async record({ actor, action, target, detail = {} }) {
      await db
        .insertInto('audit_entries')
        .values({
          id: createId(),
          actor_id: escapeText(actor.id),
          actor_name: actor.name === undefined ? null : escapeText(actor.name),
          action: escapeText(action),
          target: target === undefined ? null : escapeText(target),
          detail: JSON.stringify(detail),
          created_at: now(),
        })
        .execute()
    },

    async list(query) {
      const entries = selectPage(selectEntries(query).selectAll(), 'createdAt', query)
      return (await entries.execute()).map(toEntry)
    },

    count: (filter) => countRows(selectEntries(filter)),

    prune: (before) =>
      deleteInBatches((limit) =>
        db
          .deleteFrom('audit_entries')
          .where('id', 'in', (expired) =>
            expired
              .selectFrom('audit_entries')
              .select('id')
              .where('created_at', '<', Math.floor(before))
              .limit(limit),
          )
          .executeTakeFirst(),
      ),
  }
}

function matching(
  entry: ExpressionBuilder<AuditTables, 'audit_entries'>,
  { actor, action, target, createdAfter, createdBefore }: AuditFilter,
): Expression<SqlBool> {
  const terms: Expression<SqlBool>[] = []
  if (actor !== undefined)
    terms.push(
      entry.or([entry('actor_id', '=', escapeText(actor)), entry('actor_name', '=', escapeText(actor))]),
    )
  if (action !== undefined) terms.push(entry('action', '=', escapeText(action)))
  if (target !== undefined) terms.push(entry('target', '=', escapeText(target)))
  if (createdAfter !== undefined) terms.push(entry('created_at', '>', Math.floor(createdAfter)))
  if (createdBefore !== undefined) terms.push(entry('created_at', '<', Math.ceil(createdBefore)))
  return entry.and(terms)
}

function toEntry(row: Selectable<AuditEntriesTable>): AuditEntry {
  return {
    id: row.id,
    actor: {
      id: unescapeText(row.actor_id),
      ...(row.actor_name !== null && { name: unescapeText(row.actor_name) }),
    },
    action: unescapeText(row.action),
    ...(row.target !== null && { target: unescapeText(row.target) }),
    detail: JSON.parse(row.detail) as AuditDetail,
    createdAt: Number(row.created_at),
  }
}
