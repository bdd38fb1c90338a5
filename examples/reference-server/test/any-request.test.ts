import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { unknownId, type TestUser } from './api.ts'
import { anyRequest, validRequest, type ArbitraryRequest } from './arbitrary-requests.ts'
import { valuesBy, type Values } from './arbitrary-values.ts'
import { describeApi } from './describe-api.ts'
import { fetchSchemas, operationsUnder, type DeclaredOperation, type OpenApiDocument } from './openapi.ts'
import { createSpecimens, isForAdmins, type Specimens } from './specimens.ts'

const secret = 'what the access tokens are signed with'
const strangers = ['nobody', 'expired', 'forged', 'unsigned', 'garbage'] as const
const callers = ['owner', 'other', 'admin', ...strangers] as const
type Caller = (typeof callers)[number]

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A token with other claims, signed with another secret if so. */
function remake(token: string, changes: object, key: string): string {
  const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const signed = `${encode(JSON.parse(header!) as object)}.${encode({ ...(JSON.parse(claims!) as object), ...changes })}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

describeApi(
  (api) => {
    let document: OpenApiDocument
    let operations: readonly DeclaredOperation[]
    let values: Values
    let other: TestUser
    let specimens: Specimens
    beforeAll(async () => {
      document = await fetchSchemas(api().base)
      // The first ends the sessions of all callers of this suite. The second answers errors of JSON-RPC with 200.
      operations = operationsUnder(document, '/api/v1').filter(
        ({ operationId }) => !['deleteAllSessions', 'callTool'].includes(operationId),
      )
      other = await api().user('Other')
      values = valuesBy(document, () => other.id)
      await renew()
    })
    const renew = async () => {
      specimens = await createSpecimens(api(), operations, unknownId)
    }

    const isPublic = ({ security }: DeclaredOperation) => security.length === 0
    /** Whether a success may leave no specimens, or others than those that are known. */
    const endsSpecimens = ({ method, path }: DeclaredOperation) =>
      method === 'DELETE' || (method !== 'GET' && path === '/users/{id}')
    /** Whether a valid request can be refused, because the document has no list of the samples of each provider. */
    const namesSample = ({ operationId }: DeclaredOperation) => operationId === 'createTestDelivery'
    /** Whether the document describes addresses, filters and secrets in words only. */
    const namesDestination = ({ operationId }: DeclaredOperation) =>
      ['createDestination', 'patchDestination', 'addDestinationSecret'].includes(operationId)
    const changes = ({ method }: DeclaredOperation) => method !== 'GET'

    function getToken(caller: Caller): string | undefined {
      const { token } = specimens.owner
      const claims = token.split('.')[1]!
      switch (caller) {
        case 'owner':
          return token
        case 'other':
          return other.token
        case 'admin':
          return api().admin.token
        case 'nobody':
          return undefined
        case 'expired':
          return remake(token, { iat: 1_700_000_000, exp: 1_700_000_900 }, secret)
        case 'forged':
          return remake(api().admin.token, {}, `not ${secret}`)
        case 'unsigned':
          return `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`
        case 'garbage':
          return claims
      }
    }

    async function send(operation: DeclaredOperation, caller: Caller, request: ArbitraryRequest) {
      const { ids, query, body, headers } = request
      const unknown = operation.path.startsWith('/keys/') ? '0123456789abcdef' : unknownId
      const instead = { existing: undefined, unknown, malformed: 'no-id' }[ids]
      // An event stream has no end.
      if (operation.path.endsWith('/stream')) {
        const authorization = `Bearer ${getToken(caller) ?? ''}`
        const answer = await fetch(`${api().base}/api/v1${operation.path}${query}`, {
          headers: { ...headers, authorization },
        })
        await answer.body?.cancel()
        return { status: answer.status, text: '' }
      }
      return await api().call(operation.method, specimens.fill(operation.path, instead) + query, {
        token: getToken(caller),
        ...(body !== undefined && { body }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      })
    }

    /** Checks every operation of the document, and names the one that fails. */
    async function each(
      checked: readonly DeclaredOperation[],
      check: (operation: DeclaredOperation) => Promise<void>,
    ): Promise<void> {
      expect(checked.length).toBeGreaterThan(0)
      for (const operation of checked) {
        await check(operation).catch((error: unknown) => {
          throw new Error(`${operation.operationId}: ${String(error)}`, { cause: error })
        })
      }
    }

    it('creates expired tokens like those of the server', async () => {
      const { owner } = specimens
      const token = remake(owner.token, {}, secret)
      expect((await api().call('GET', `/users/${owner.id}`, { token })).status).toBe(200)
    })

    describe('any request', () => {
      it('gets a documented response, and changes nothing when it is invalid', async () => {
        let before = await specimens.read()
        await each(operations, async (operation) => {
          const request = anyRequest(document, operation, values)
          await fc.assert(
            fc.asyncProperty(fc.constantFrom(...callers), request, async (caller, request) => {
              const isStranger = strangers.some((stranger) => stranger === caller)
              const { owner } = specimens
              const answer = await send(operation, caller, request)
              expect(answer.status).toBeLessThan(500)
              if (isStranger && !isPublic(operation)) expect(answer.status).toBe(401)
              else if (request.valid && !namesSample(operation) && !namesDestination(operation))
                expect([400, 415, 422]).not.toContain(answer.status)
              if (!request.valid) expect(answer.status).toBeGreaterThanOrEqual(400)
              if (isForAdmins(operation) && caller !== 'admin') {
                expect([401, 403]).toContain(answer.status)
              }
              if (caller !== 'owner') {
                expect(answer.text).not.toContain(owner.session)
                expect(answer.text).not.toContain(owner.refreshToken)
              }
              if (!changes(operation)) return
              if (answer.status < 400 && endsSpecimens(operation)) await renew()
              const after = await specimens.read()
              if (answer.status >= 400) expect(after).toEqual(before)
              before = after
            }),
            { numRuns: 5, endOnFailure: true },
          )
        })
      })

      it('succeeds for a permitted caller when it is valid', async () => {
        await each(operations, async (operation) => {
          // A password or a token cannot be guessed.
          const isGuess = ['createSession', 'createToken'].includes(operation.operationId)
          const guessesInvitation = ({ body }: ArbitraryRequest) =>
            operation.operationId === 'createUser' && body?.includes('"invitation"') === true
          // Only a page of the server logs in with a cookie.
          const needsPage = operation.operationId === 'createCookieSession'
          // No delivery has an event with an arbitrary id, and a request with a token has no cookie.
          const isMissing =
            specimens.fill(operation.path).includes(unknownId) ||
            ['getEventData', 'deleteCookieSession'].includes(operation.operationId)
          // Of users some fields are admins' to change.
          const caller = isForAdmins(operation) || operation.path === '/users/{id}' ? 'admin' : 'owner'
          await fc.assert(
            fc.asyncProperty(validRequest(document, operation, values), async (request) => {
              const isLarge = Buffer.byteLength(request.body ?? '') > 10 * 1024
              const answer = await send(operation, caller, request)
              if (isLarge) expect(answer.status).toBe(413)
              else if (isGuess) expect(answer.status).toBe(401)
              else if (needsPage || guessesInvitation(request)) expect(answer.status).toBe(403)
              else if (isMissing) expect(answer.status).toBe(404)
              else if (namesSample(operation)) expect(answer.status).toBe(400)
              else if (namesDestination(operation)) expect([200, 201, 400]).toContain(answer.status)
              // The provider of the endpoint has no handshake.
              else if (['startEndpointHandshake', 'readHandshakeSecret'].includes(operation.operationId))
                expect(answer.status).toBe(409)
              // A replay before it may still be under way.
              else if (operation.operationId === 'eraseDelivery') expect([204, 409]).toContain(answer.status)
              else expect(answer.status).toBeLessThan(300)
              if (answer.status < 400 && endsSpecimens(operation)) await renew()
            }),
            { numRuns: 3, endOnFailure: true },
          )
        })
      })

      it('does not change resources of others when it is valid', async () => {
        const changing = operations.filter((operation) => changes(operation) && operation.path.includes('{'))
        await each(changing, async (operation) => {
          // Anybody may comment on a post: that is the one thing that another adds here.
          const createsComment = operation.operationId === 'createComment'
          const before = await specimens.read()
          await fc.assert(
            fc.asyncProperty(validRequest(document, operation, values), async (request) => {
              const answer = await send(operation, 'other', request)
              const expected = createsComment ? [201, 413] : [401, 403, 404, 413]
              expect(expected).toContain(answer.status)
            }),
            { numRuns: 3, endOnFailure: true },
          )
          if (!createsComment) expect(await specimens.read()).toEqual(before)
        })
      })
    })
  },
  { JWT_SECRET: secret },
)
