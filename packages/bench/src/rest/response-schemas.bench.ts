import { createApi, createRouteGroup } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { z } from 'zod'
import { defineMicro } from '../frame/micro.ts'

const User = z.object({
  id: z.uuid(),
  email: z.email(),
  name: z.string().min(2).max(100),
  role: z.enum(['user', 'admin']),
  status: z.enum(['active', 'suspended']),
  manager_id: z.uuid().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const users = Array.from({ length: 20 }, (_, index): z.infer<typeof User> => {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(index).padStart(12, '0')}`,
    email: `user${index}@example.org`,
    name: `User ${index}`,
    role: 'user',
    status: 'active',
    manager_id: null,
    created_at: '2026-01-31T12:00:00.000Z',
    updated_at: '2026-01-31T12:00:00.000Z',
  }
})

const define = (mode: 'trust' | 'strip' | 'check', does: string) => ({
  name: mode,
  does,
  setup() {
    const route = createRouteGroup({ access: 'public', rateLimit: false, etag: true })
    const handle = createFetchHandler(
      createApi({
        responseSchemas: mode,
        routes: [route.get('/users', { operationId: 'getUsers', data: z.array(User) }, () => users)],
      }),
    )
    return async () => await (await handle(new Request('http://localhost/users'))).text()
  },
})

export default defineMicro({
  name: 'response-schemas',
  what: 'Answers a GET with 20 users of eight fields, in process, for each value of `responseSchemas`.',
  base: 'trust',
  prepare: () => undefined,
  agree: (result) => result,
  sides: [
    define('trust', 'Sends what the handler returns.'),
    define('strip', 'Looks for undeclared fields, and finds none.'),
    define('check', 'Also validates every user with zod.'),
  ],
})
