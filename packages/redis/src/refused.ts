import { SallyportError } from '@sallyport/errors'

/** What a server says no to for as long as nobody changes a setting, or the address leads to no other server. */
export class Refused extends SallyportError {
  constructor(message: string) {
    super('SERVICE_UNAVAILABLE', message)
  }
}
