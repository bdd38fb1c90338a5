import { githubSecret, lambdaEventV2, testExample } from '@sallyport/test-support/hosts'
import type { APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda'
import { expectTypeOf, it, vi } from 'vitest'

const load = async () => {
  vi.stubEnv('WEBHOOK_SECRET_GITHUB', githubSecret)
  const { handler } = await import('../src/handler.ts')
  vi.unstubAllEnvs()
  return handler
}

testExample(
  'Lambda',
  async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
    const handler = await load()
    return {
      async send(sent) {
        const { statusCode, headers, body } = await handler(lambdaEventV2(sent))
        return { status: statusCode, headers: new Headers(headers), text: body }
      },
      output: () => log.mock.calls.flat().join(' '),
      async close() {
        log.mockRestore()
      },
    }
  },
  { deduplicates: false },
)

it('has the types of AWS handlers', async () => {
  const handler = await load()
  expectTypeOf(handler).toExtend<APIGatewayProxyHandlerV2>()
  expectTypeOf(handler).toExtend<LambdaFunctionURLHandler>()
  expectTypeOf(handler).toExtend<APIGatewayProxyHandler>()
})
