import type { AccountTables } from '@sallyport/sql/accounts'
import type { Repository, StoredRow } from '@sallyport/sql/rows'

export interface PostRow extends StoredRow {
  readonly author_id: string
  readonly title: string
  readonly body: string
  readonly status: 'published' | 'archived'
}

export interface CommentRow extends StoredRow {
  readonly post_id: string
  readonly author_id: string
  readonly body: string
}

export interface ProjectRow extends StoredRow {
  readonly owner_id: string
  readonly name: string
  readonly description: string | null
  readonly status: 'active' | 'archived'
}

export interface TaskRow extends StoredRow {
  readonly project_id: string
  readonly title: string
  readonly description: string | null
  readonly assignee_id: string | null
  readonly due_on: string | null
  readonly status: 'open' | 'in_progress' | 'done'
}

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
