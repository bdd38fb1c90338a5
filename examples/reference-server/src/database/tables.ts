import type { AccountTables } from '@sallyport/sql/accounts'
import type { Repository, StoredRow } from '@sallyport/sql/resources'
import type { z } from 'zod'
import type { comment, post, project, task } from '../resources/definitions.ts'

/** The row of a defined resource. */
type RowOf<Definition extends { readonly resource: z.ZodType }> = StoredRow &
  Readonly<z.output<Definition['resource']>>

export type PostRow = RowOf<typeof post>
export type CommentRow = RowOf<typeof comment>
export type ProjectRow = RowOf<typeof project>
export type TaskRow = RowOf<typeof task>

/** The tables of the REST resources. */
// A type, not an interface: Kysely extends its tables by it.
export type Tables = AccountTables & {
  posts: PostRow
  comments: CommentRow
  projects: ProjectRow
  tasks: TaskRow
}

/** The repository of a table. */
export type Rows<Row extends StoredRow> = Repository<Row, Tables>
