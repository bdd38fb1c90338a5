/** A program that tests use, such as a database server. */
export interface Service<Connection> {
  /** The name for titles and messages. */
  readonly title: string
  /** How to make the service available to the tests. */
  readonly hint: string
  /** Resolves if the service answers; otherwise rejects with the reason. */
  probe(): Promise<void>
  /** Creates the resource of one suite, such as an empty database. */
  open(): Promise<Opened<Connection>>
}

/** The resource of a suite. */
export interface Opened<Connection> {
  readonly connection: Connection
  /** Removes everything from the service. */
  close(): Promise<void>
}
