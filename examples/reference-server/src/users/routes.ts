import { afterFilter, defineListQuery, oneOfFilter, type RouteBinding } from '@sallyport/rest'
import type { RequestContext } from '../http/context.ts'
import { readOnlyProblems } from '../resources/changes.ts'
import { createRoute, listRoute } from '../resources/collection.ts'
import { idParams } from '../resources/fields.ts'
import { itemRoutes } from '../resources/item.ts'
import type { Accounts } from './accounts.ts'
import type { Users } from './repository.ts'
import {
  createUserBody,
  patchUserBody,
  replaceUserBody,
  toUser,
  userResource,
  userStatuses,
} from './schemas.ts'

const userQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'name', 'email', 'status'],
  defaultSort: '-created_at',
  searchable: 'name',
  filterable: { status: oneOfFilter(userStatuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(userResource.shape),
})

export function userRoutes(options: {
  readonly users: Users
  readonly accounts: Accounts
}): readonly RouteBinding<RequestContext>[] {
  const { users, accounts } = options
  const common = { tag: 'users', path: '/users', resource: userResource, show: toUser }
  return [
    listRoute({
      ...common,
      plural: 'users',
      query: userQuery,
      list: (_, query) => users.list(query),
    }),
    createRoute({
      ...common,
      noun: 'user',
      description:
        'Anyone may register. The user has the role `user`. Log in with `POST /api/v1/sessions` afterwards.',
      access: 'public',
      rateLimit: 'auth',
      body: createUserBody,
      example: { email: 'ada@example.com', name: 'Ada Lovelace', password: 'an analytical engine' },
      errors: ['EMAIL_TAKEN', 'OVERLOADED'],
      create: (_, body) => accounts.register(body),
    }),
    ...itemRoutes({
      ...common,
      noun: 'user',
      path: '/users/{id}',
      params: idParams,
      replaceBody: replaceUserBody,
      patchBody: patchUserBody,
      changedBy: 'The user itself and admins may do this. Only admins may change `role` and `status`.',
      changeErrors: ['EMAIL_TAKEN', 'LAST_ADMIN', 'OVERLOADED'],
      deleteErrors: ['LAST_ADMIN'],
      deleteAccess: { roles: ['admin'] },
      get: (key) => users.get(key),
      review: async (key, fields) => readOnlyProblems(await users.find(key), fields),
      change: ({ id }, changes, context) => accounts.change(id, changes, context),
      remove: ({ id }, context) => accounts.remove(id, context),
    }),
  ]
}
