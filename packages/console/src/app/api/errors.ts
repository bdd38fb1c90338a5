/** A response of the API with a status of 400 and above, or no response (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly details: readonly { readonly field?: string; readonly message: string }[]

  constructor(options: {
    readonly status: number
    readonly code: string
    readonly message: string
    readonly requestId?: string | undefined
    readonly details?: ApiError['details'] | undefined
  }) {
    super(options.message)
    this.name = 'ApiError'
    this.status = options.status
    this.code = options.code
    this.requestId = options.requestId
    this.details = options.details ?? []
  }
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly details?: ApiError['details']
  }
}

/** Converts the body of an error response. */
export function toApiError(body: unknown, response: Response): ApiError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  return new ApiError({
    status: response.status,
    code: error?.code ?? 'UNEXPECTED_RESPONSE',
    message: error?.message ?? `The server answered ${response.status}`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    details: error?.details,
  })
}
