import { addRowColumns } from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Posts, comments, projects and tasks. */
export const resources: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    await schema
      .createTable('posts')
      .$call(addRowColumns)
      .addColumn('author_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('comments')
      .$call(addRowColumns)
      .addColumn('post_id', 'text', (column) => column.notNull().references('posts.id').onDelete('cascade'))
      .addColumn('author_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('body', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('projects')
      .$call(addRowColumns)
      .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('tasks')
      .$call(addRowColumns)
      .addColumn('project_id', 'text', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('assignee_id', 'text', (column) => column.references('users.id').onDelete('set null'))
      .addColumn('due_on', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .execute()

    // For the default order of each list, and for cascading deletions.
    const indexes = [
      ['posts', []],
      ['posts', ['author_id']],
      ['comments', ['post_id']],
      ['comments', ['author_id']],
      ['projects', []],
      ['projects', ['owner_id']],
      ['tasks', ['project_id']],
      ['tasks', ['assignee_id']],
    ] as const
    for (const [table, columns] of indexes) {
      await schema
        .createIndex([table, ...columns, 'created_at'].join('_'))
        .on(table)
        .columns([...columns, 'created_at', 'id'])
        .execute()
    }
  },
}
