import { afterFilter, defineListQuery, oneOfFilter } from '@sallyport/rest'
import type { Users } from '@sallyport/sql/accounts'
import {
  belonging,
  createBodies,
  id,
  identity,
  idParams,
  listRoutes,
  ownedRows,
  requireCaller,
  resourceRoutes,
  textField,
  times,
} from '@sallyport/sql/resources'
import { addRowColumns, createRepository, type StoredRow } from '@sallyport/sql/rows'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { z } from 'zod'

interface NoteRow extends StoredRow {
  readonly owner_id: string
  readonly title: string
  readonly text: string | null
  readonly reader_id: string | null
  readonly status: 'open' | 'done'
}

interface RemarkRow extends StoredRow {
  readonly note_id: string
  readonly author_id: string
  readonly text: string
}

export type NoteTables = { notes: NoteRow; remarks: RemarkRow }

export const notesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    await schema
      .createTable('notes')
      .$call(addRowColumns)
      .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('text', 'text')
      .addColumn('reader_id', 'text', (column) => column.references('users.id').onDelete('set null'))
      .addColumn('status', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('remarks')
      .$call(addRowColumns)
      .addColumn('note_id', 'text', (column) => column.notNull().references('notes.id').onDelete('cascade'))
      .addColumn('author_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()
  },
}

const title = textField({ min: 2, max: 10, example: 'Milk' })
const text = textField({ max: 20, example: 'Two bottles.' }).nullable()
const reader_id = id.nullable()
const statuses = ['open', 'done'] as const
const status = z.enum(statuses)
const note = z
  .object({ ...identity, owner_id: belonging, title, text, reader_id, status, ...times })
  .meta({ id: 'Note' })
const noteBodies = createBodies('Note', note, {
  required: { title },
  cleared: { text: text.default(null), reader_id: reader_id.default(null) },
  initial: { status: status.default('open') },
})

const remarkText = textField({ min: 1, max: 20, example: 'Bought.' })
const remark = z
  .object({ ...identity, note_id: belonging, author_id: belonging, text: remarkText, ...times })
  .meta({ id: 'Remark' })
const remarkBodies = createBodies('Remark', remark, {
  required: { text: remarkText },
  cleared: {},
  initial: {},
})
const remarkParams = z.object({ id, remark_id: id })

const createdAfter = afterFilter('created_at')
const noteQuery = defineListQuery({
  sortable: ['created_at', 'title', 'status'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { status: oneOfFilter(statuses), createdAfter },
  fields: Object.keys(note.shape),
})
const remarkQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  searchable: 'text',
  filterable: { createdAfter },
  fields: Object.keys(remark.shape),
})

/** The routes of notes, which a reader may be named for, and of the remarks under them. */
export function noteRoutes(db: Kysely<NoteTables>, users: Users) {
  const notes = createRepository(db, 'notes', { noun: 'note' })
  const remarks = createRepository(db, 'remarks', { noun: 'remark' })
  const common = { tag: 'notes', resource: note, query: noteQuery }
  return [
    ...resourceRoutes({
      ...common,
      noun: 'note',
      path: '/notes',
      list: (_, query) => notes.list(query),
      create: {
        description: 'Every logged-in user may do this.',
        body: noteBodies.create,
        example: { title: 'Milk' },
        errors: ['CONFLICT'],
        review: async (_, { reader_id: reader }) =>
          typeof reader !== 'string' || (await users.find({ id: reader })) !== undefined
            ? []
            : [{ code: 'NOT_FOUND', field: 'reader_id', in: 'body', message: 'There is no such user' }],
        run: ({ body }, context, together) =>
          notes.insert({ ...body, owner_id: requireCaller(context).sub }, together),
      },
      item: {
        path: '/notes/{id}',
        params: idParams,
        bodies: noteBodies,
        changedBy: 'Its owner and admins may do this.',
        ...ownedRows(notes, {
          toKey: (key: z.infer<typeof idParams>) => key,
          getOwner: ({ owner_id }) => owner_id,
          readOnly: ['owner_id'],
        }),
      },
    }),
    ...listRoutes({
      ...common,
      noun: 'user note',
      path: '/users/{id}/notes',
      params: idParams,
      list: async (key, query) => notes.list(query, { owner_id: (await users.get(key)).id }),
    }),
    ...resourceRoutes({
      ...{ tag: 'remarks', noun: 'remark', path: '/notes/{id}/remarks', params: idParams },
      ...{ resource: remark, query: remarkQuery },
      list: async (key, query) => remarks.list(query, { note_id: (await notes.get(key)).id }),
      create: {
        description: 'Every logged-in user may do this.',
        body: remarkBodies.create,
        example: { text: 'Bought.' },
        errors: ['NOT_FOUND', 'CONFLICT'],
        async run({ params, body }, context, together) {
          const { id: note_id } = await notes.get(params)
          return remarks.insert({ ...body, note_id, author_id: requireCaller(context).sub }, together)
        },
      },
      item: {
        path: '/notes/{id}/remarks/{remark_id}',
        params: remarkParams,
        bodies: remarkBodies,
        changedBy: 'Its author and admins may do this.',
        ...ownedRows(remarks, {
          toKey: ({ id, remark_id }: z.infer<typeof remarkParams>) => ({ note_id: id, id: remark_id }),
          getOwner: ({ author_id }) => author_id,
          readOnly: ['note_id', 'author_id'],
        }),
      },
    }),
  ]
}
