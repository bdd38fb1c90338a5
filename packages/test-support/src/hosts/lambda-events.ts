import type {
  LambdaEventAlb,
  LambdaEventLattice,
  LambdaEventV1,
  LambdaEventV2,
} from '../../../webhooks/src/lambda/event.ts'
import type { Sent } from './host.ts'

// Events of API Gateway and function URLs, including the fields that the handler ignores.

const domain = 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'
const sourceIp = '198.51.100.7'
const userAgent = 'Doorbell-Hook/1.4'

/** The platform encodes a body with base64 unless its content type is text. */
function encodeBody(body: Uint8Array, headers: Headers): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false }
  const isBase64Encoded = !/^(text\/|application\/(json|javascript|xml))/.test(
    headers.get('content-type') ?? '',
  )
  return { body: Buffer.from(body).toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded }
}

function buildRequest({ method = 'POST', path = '/webhooks/doorbell', headers = [], ...sent }: Sent) {
  const { body = new Uint8Array(0), announcedLength } = sent
  if (!(body instanceof Uint8Array)) throw new TypeError('The platform supports no streamed body')
  const all = new Headers({ host: domain, 'user-agent': userAgent, 'x-forwarded-for': sourceIp })
  if (method === 'POST') all.set('content-length', String(announcedLength ?? body.length))
  const multiple = new Map<string, string[]>()
  for (const [name, value] of [...all, ...headers]) {
    multiple.set(name, [...(multiple.get(name) ?? []), value])
  }
  for (const [name, value] of headers) all.append(name, value)
  const { pathname, search } = splitTarget(path)
  return { method, pathname, query: search, all, multiple, ...encodeBody(body, all) }
}

function splitTarget(path: string): { pathname: string; search: string } {
  const at = path.indexOf('?')
  return at === -1
    ? { pathname: path, search: '' }
    : { pathname: path.slice(0, at), search: path.slice(at + 1) }
}

/** Creates an event of an HTTP API. Only a stage other than `$default` is a prefix of the path. */
export function lambdaEventV2(sent: Sent, stage = '$default'): LambdaEventV2 {
  const { method, pathname, query, all, multiple, body, isBase64Encoded } = buildRequest(sent)
  const rawPath = stage === '$default' ? pathname : `/${stage}${pathname}`
  const joined = Array.from(multiple, ([name, values]) => [name.toLowerCase(), values.join(',')])
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query,
    cookies: ['theme=dark', 'session=of-somebody'],
    headers: Object.fromEntries(joined) as Record<string, string>,
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      domainName: all.get('host'),
      domainPrefix: 'a1b2c3d4e5',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: '$default',
      stage,
      time: '21/Nov/2026:12:00:00 +0000',
      timeEpoch: 1_795_262_400_000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded,
  }
  return event
}

/** Creates an event of a REST API. The stage is only in the context. */
export function lambdaEventV1(sent: Sent, stage = 'prod'): LambdaEventV1 {
  const { method, pathname, query, all, multiple, body, isBase64Encoded } = buildRequest(sent)
  const parameters: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) (parameters[name] ??= []).push(value)
  const has = query !== ''
  // A REST API does not change header names to lower case.
  const spelled = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  const event = {
    resource: '/webhooks/{provider}',
    path: pathname,
    httpMethod: method,
    headers: Object.fromEntries(
      Array.from(multiple, ([name, values]) => [spelled(name), values.at(-1) ?? '']),
    ),
    multiValueHeaders: Object.fromEntries(Array.from(multiple, ([name, values]) => [spelled(name), values])),
    queryStringParameters: has ? Object.fromEntries(new URLSearchParams(query)) : null,
    multiValueQueryStringParameters: has ? parameters : null,
    pathParameters: { provider: pathname.split('/').at(-1) ?? '' },
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      domainName: all.get('host'),
      httpMethod: method,
      identity: { sourceIp, userAgent, cognitoIdentityId: null },
      path: `/${stage}${pathname}`,
      protocol: 'HTTP/1.1',
      requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      requestTime: '21/Nov/2026:12:00:00 +0000',
      requestTimeEpoch: 1_795_262_400_000,
      resourcePath: '/webhooks/{provider}',
      stage,
    },
    body: body ?? null,
    isBase64Encoded,
  }
  return event
}

/** Creates an event of a load balancer, with single or multiple values. The query is as the sender wrote it. */
export function lambdaEventAlb(sent: Sent, values: 'single' | 'multiple'): LambdaEventAlb {
  const { method, pathname, query, multiple, body = '', isBase64Encoded } = buildRequest(sent)
  const parameters = getParameters(query, (text) => text)
  const headers = Object.fromEntries(multiple)
  // The load balancer appends the address of its client.
  headers['x-forwarded-for'] = [[...(headers['x-forwarded-for'] ?? []), sourceIp].join(', ')]
  const last = (all: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(all).map(([name, given]) => [name, given.at(-1) ?? '']))
  return {
    requestContext: {
      elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/x/1' },
    },
    httpMethod: method,
    path: pathname,
    ...(values === 'single'
      ? { headers: last(headers), queryStringParameters: last(parameters) }
      : { multiValueHeaders: headers, multiValueQueryStringParameters: parameters }),
    body,
    isBase64Encoded,
  }
}

/** Creates an event of VPC Lattice, version 2.0. */
export function lambdaEventLattice(sent: Sent): LambdaEventLattice {
  const { method, pathname, query, multiple, body, isBase64Encoded } = buildRequest(sent)
  const event = {
    version: '2.0',
    path: pathname,
    method,
    headers: Object.fromEntries(multiple),
    queryStringParameters: getParameters(query, decode),
    ...(body !== undefined && { body }),
    isBase64Encoded,
    requestContext: {
      serviceNetworkArn: 'arn:aws:vpc-lattice:eu-central-1:123456789012:servicenetwork/sn-1',
      serviceArn: 'arn:aws:vpc-lattice:eu-central-1:123456789012:service/svc-1',
      region: 'eu-central-1',
      timeEpoch: '1795262400000000',
    },
  }
  return event
}

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

function getParameters(query: string, read: (text: string) => string): Record<string, string[]> {
  const parameters: Record<string, string[]> = {}
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = ''] = pair.split('=', 1)
    ;(parameters[read(name)] ??= []).push(read(pair.slice(name.length + 1)))
  }
  return parameters
}
