import type { Repository, StoredRow } from '@sallyport/sql/rows'

export interface UserRow extends StoredRow {
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly role: 'user' | 'admin'
  readonly status: 'active' | 'suspended'
}

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

export interface InvitationRow extends StoredRow {
  /** The only address that can register, in lower case; null for any address. */
  readonly email: string | null
  readonly token_hash: string
  readonly created_by: string
  readonly expires_at: string
}

/** The tables of the REST resources. */
// A type, not an interface: Kysely extends its tables by it.
export type Tables = {
  users: UserRow
  posts: PostRow
  comments: CommentRow
  projects: ProjectRow
  tasks: TaskRow
  invitations: InvitationRow
}

/** The repository of a table. */
export type Rows<Row extends StoredRow> = Repository<Row, Tables>
