import type { Users } from '@sallyport/sql/accounts'
import { id, ownedRoutes, resourceRoutes } from '@sallyport/sql/resources'
import { z } from 'zod'
import type { CommentRow, PostRow, ProjectRow, Rows } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'
import { comment, post, project } from './definitions.ts'

export interface CollectionRows {
  readonly users: Pick<Users, 'get'>
  readonly posts: Rows<PostRow>
  readonly comments: Rows<CommentRow>
  readonly projects: Rows<ProjectRow>
}

/** Creates the routes of the resources that belong to the user who creates them. */
export function collectionRoutes({ users, posts, comments, projects }: CollectionRows) {
  return [
    ...ownedRoutes({
      ...{ noun: 'post', definition: post, rows: posts, owner: 'author_id', mountPath: apiPath },
      example: { title: 'On the engine', body: 'It weaves algebraic patterns.' },
    }),
    ...resourceRoutes({
      ...{
        noun: 'user post',
        tag: 'posts',
        path: '/users/{id}/posts',
        params: z.object({ id }),
        mountPath: apiPath,
      },
      ...{ resource: post.resource, query: post.query },
      async list(key, query) {
        const { id } = await users.get(key)
        return posts.list(query, { author_id: id })
      },
    }),
    ...ownedRoutes({
      ...{ noun: 'comment', definition: comment, rows: comments, owner: 'author_id', mountPath: apiPath },
      parent: { noun: 'post', rows: posts, column: 'post_id' },
      example: { body: 'It originates nothing.' },
    }),
    ...ownedRoutes({
      ...{ noun: 'project', definition: project, rows: projects, owner: 'owner_id', mountPath: apiPath },
      example: { name: 'Difference engine', description: 'Tables without errors.' },
    }),
  ]
}
