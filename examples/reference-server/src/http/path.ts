/** The mount path of the API in links and locations; `/v1` is an alias. */
export const apiPath = '/api/v1'

/** The mount path of the operators' console. */
export const consolePath = '/console'
