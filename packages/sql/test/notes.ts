import { listFilter } from '@sallyport/rest'
import type { Users } from '@sallyport/sql/accounts'
import {
  defineResource,
  id,
  ownedRoutes,
  resourceRoutes,
  textField,
  addRowColumns,
  createRepository,
  type StoredRow,
} from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { z } from 'zod'
import { ownedRows, requireCaller } from '../src/resources/changes.ts'

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

const statuses = ['open', 'done'] as const
const note = defineResource('Note', {
  parents: ['owner_id'],
  required: { title: textField({ min: 2, max: 10, example: 'Milk' }) },
  nullable: {
    text: textField({ max: 20, example: 'Two bottles.' }).nullable(),
    reader_id: id.nullable(),
  },
  initial: { status: z.enum(statuses).default('open') },
  sortable: ['title', 'status'],
  searchable: 'title',
  filterable: { status: listFilter.oneOf(statuses) },
})

const remark = defineResource('Remark', {
  parents: ['note_id', 'author_id'],
  required: { text: textField({ min: 1, max: 20, example: 'Bought.' }) },
  sortable: [],
  searchable: 'text',
})

/** The routes of notes, which a reader may be named for, and of the remarks under them. */
export function noteRoutes(db: Kysely<NoteTables>, users: Users) {
  const notes = createRepository(db, 'notes', { noun: 'note' })
  const remarks = createRepository(db, 'remarks', { noun: 'remark' })
  const common = { tag: 'notes', resource: note.resource, query: note.query }
  const params = z.object({ id })
  return [
    ...resourceRoutes({
      ...common,
      noun: 'note',
      path: '/notes',
      list: (_, query) => notes.list(query),
      create: {
        description: 'Every logged-in user may do this.',
        body: note.bodies.create,
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
        params,
        bodies: note.bodies,
        changedBy: 'Its owner and admins may do this.',
        ...ownedRows(notes, {
          toKey: (key: z.infer<typeof params>) => key,
          getOwner: ({ owner_id }) => owner_id,
          readOnly: ['owner_id'],
        }),
      },
    }),
    ...resourceRoutes({
      ...common,
      noun: 'user note',
      path: '/users/{id}/notes',
      params,
      list: async (key, query) => notes.list(query, { owner_id: (await users.get(key)).id }),
    }),
    ...ownedRoutes({
      ...{ noun: 'remark', definition: remark, rows: remarks, owner: 'author_id' },
      parent: { noun: 'note', rows: notes, column: 'note_id' },
      example: { text: 'Bought.' },
    }),
  ]
}
