import { defineListQuery, type RouteBinding, listFilter } from '@sallyport/rest'
import type { RequestContext } from './context.ts'
import type { ReportAccountEvent } from './events.ts'
import { readOnlyProblems } from '../resources/changes.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import type { ResourceContext } from '../resources/options.ts'
import { resourceRoutes } from '../resources/routes.ts'
import type { Accounts } from './accounts.ts'
import type { createRegistration, RegistrationMode } from './registration.ts'
import { userRoles } from './roles.ts'
import type { Users } from './users.ts'
import {
  createInvitedUserBody,
  createUserBody,
  patchUserBody,
  replaceUserBody,
  userResource,
  userStatuses,
} from './user-schemas.ts'

const userQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'name', 'email', 'status'],
  defaultSort: '-created_at',
  searchable: 'name',
  filterable: {
    status: listFilter.oneOf(userStatuses),
    role: listFilter.oneOf(userRoles),
    createdAfter: listFilter.after('created_at'),
  },
  fields: Object.keys(userResource.shape),
})

const registrations = {
  open: {
    description: 'Anyone may register.',
    body: createInvitedUserBody,
    errors: ['INVITATION_INVALID'],
  },
  closed: {
    description: 'Registration is closed: only admins may do this.',
    body: createUserBody,
    errors: ['REGISTRATION_CLOSED'],
  },
  invite: {
    description: 'Registration needs an invitation of an admin. Admins may do this without an invitation.',
    body: createInvitedUserBody,
    errors: ['INVITATION_INVALID'],
  },
} as const

export function userRoutes(options: {
  readonly users: Users
  readonly accounts: Accounts
  readonly registrationMode: RegistrationMode
  readonly register: ReturnType<typeof createRegistration>
  readonly onEvent: ReportAccountEvent
  /** The mount path of the API in `Location`. @default that of the request */
  readonly mountPath?: string | undefined
}): readonly RouteBinding<RequestContext>[] {
  const { users, accounts, registrationMode: mode, register, onEvent, mountPath } = options
  return resourceRoutes({
    tag: 'users',
    noun: 'user',
    path: '/users',
    ...(mountPath !== undefined && { mountPath }),
    resource: userResource,
    query: userQuery,
    list: (_, query) => users.list(query),
    create: {
      description: `${registrations[mode].description} The user has the role \`user\`${mode === 'closed' ? '' : ', or that of the invitation'}. Log in with \`POST /api/v1/sessions\` afterwards.`,
      access: 'public',
      rateLimit: 'auth',
      body: registrations[mode].body,
      example: { email: 'ada@example.com', name: 'Ada Lovelace', password: 'an analytical engine' },
      errors: ['EMAIL_TAKEN', 'OVERLOADED', ...registrations[mode].errors],
      async run({ body }, context) {
        const account = toAccountContext(context)
        const user = await register(body, account)
        const userId = (await account.identify())?.sub ?? user.id
        const { id: targetId, role } = user
        await onEvent('user.created', account, { route: '/users', status: 201, userId, targetId, role })
        return user
      },
    },
    item: {
      path: '/users/{id}',
      params: idParams,
      bodies: { replace: replaceUserBody, patch: patchUserBody },
      changedBy:
        'The user itself and admins may do this. Only admins may change `role`, `status` and `endpoints`.',
      changeErrors: ['EMAIL_TAKEN', 'LAST_ADMIN', 'OVERLOADED'],
      deleteErrors: ['LAST_ADMIN'],
      deleteAccess: { roles: ['admin'] },
      get: (key) => users.get(key),
      review: async (key, fields) => readOnlyProblems(await users.find(key), fields, 'issuer'),
      change: ({ id }, changes, context) => accounts.change(id, changes, toAccountContext(context)),
      async remove({ id }, context) {
        const account = toAccountContext(context)
        await accounts.remove(id, account)
        await onEvent('user.deleted', account, { route: '/users/{id}', status: 204, targetId: id })
      },
    },
  })
}

/** The `authenticate` of accounts returns the caller of each request. */
const toAccountContext = (context: ResourceContext): RequestContext => context as RequestContext
