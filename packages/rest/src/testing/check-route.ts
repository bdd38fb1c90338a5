import fc from 'fast-check'
import type { Api } from '../api/api-options.ts'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import type { OpenApiDocument } from '../openapi/document-model.ts'
import { formatPath, parseTemplate } from '../route-path.ts'
import type { AnyRoute } from '../route.ts'
import { createArbitraries } from '../arbitraries/create-arbitraries.ts'
import { makeRequests, type ArbitraryRequest } from './arbitrary-requests.ts'
import type { CheckRoutesOptions } from './check-routes.ts'
import { findUndeclared, type ReceivedResponse } from './find-undeclared.ts'

/** Checks a route, and returns the statuses of its responses in ascending order. */
export async function checkRoute(
  api: Api,
  route: AnyRoute,
  document: OpenApiDocument,
  { authorization, values = {}, requests = 100, seed }: CheckRoutesOptions,
): Promise<readonly number[]> {
  const { method, path, operationId, access } = route
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new TypeError(`The document has no operation ${method} ${path}`)
  const statuses = new Set<number>()
  const answer = createFetchHandler(api)
  const isPublic = access === 'public'

  async function send(request: ArbitraryRequest, credentials: string | undefined): Promise<ReceivedResponse> {
    const headers = {
      ...request.headers,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(credentials !== undefined && { authorization: credentials }),
    }
    const { body = null } = request
    const response = await answer(
      new Request(`http://localhost${formatTarget(path, request)}`, { method, headers, body }),
    )
    statuses.add(response.status)
    const type = response.headers.get('content-type') ?? undefined
    const isStream =
      type !== undefined && !/^(application\/([\w.-]+\+)?json|text\/(?!event-stream))/.test(type)
    if (isStream) await response.body?.cancel()
    return {
      status: response.status,
      headers: response.headers,
      type,
      text: isStream ? '' : await response.text(),
    }
  }

  function findProblem(request: ArbitraryRequest, response: ReceivedResponse, isAllowed: boolean) {
    const { status } = response
    if (status === 429) return 'The API limits the requests of the check: raise its rateLimits'
    if (!isAllowed && status !== 401) return 'The route answers a request without credentials'
    if (status < 400 && !request.valid) return 'The route accepts a request that the document refuses'
    return findUndeclared(operation as NonNullable<typeof operation>, document, request, response)
  }

  const schemas = document.components?.schemas ?? {}
  const made = createArbitraries({ schemas })
  const given = new Map(Object.entries(values))
  const arbitraries = createArbitraries({
    schemas,
    choose: (schema, name = '') => {
      const choose = given.get(name)
      return (
        choose && fc.oneof({ weight: 3, arbitrary: fc.constant(undefined).map(choose) }, made.valid(schema))
      )
    },
  })
  const caller = isPublic ? fc.constant(true) : fc.integer({ min: 0, max: 9 }).map((one) => one > 0)
  const credentials = isPublic ? undefined : await authorization?.(route)
  let failure = ''
  const property = fc.asyncProperty(
    makeRequests(document, operation, arbitraries),
    caller,
    async (request, isAllowed) => {
      const response = await send(request, isAllowed ? credentials : undefined)
      const problem = findProblem(request, response, isAllowed && (isPublic || credentials !== undefined))
      if (problem === undefined) return
      failure = [problem, formatRequest(method, path, request), formatResponse(response)].join('\n\n')
      throw new Error(problem)
    },
  )
  const details = await fc.check(property, { numRuns: requests, ...(seed !== undefined && { seed }) })
  // The last failure is the smallest.
  if (details.failed)
    throw new Error(`${operationId}: ${failure}\n\nRepeat it with { seed: ${details.seed} }`, {
      cause: details.errorInstance,
    })
  return [...statuses].sort((a, b) => a - b)
}

function formatTarget(path: string, { params, query }: ArbitraryRequest): string {
  const text = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return formatPath(parseTemplate(path), params) + (text === '' ? '' : `?${text}`)
}

function formatRequest(method: string, path: string, request: ArbitraryRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `${method} ${formatTarget(path, request)}`,
    ...headers,
    ...(request.body === undefined ? [] : ['', request.body]),
  ].join('\n')
}

const formatResponse = ({ status, text }: ReceivedResponse): string => `${status} ${text.slice(0, 2000)}`
