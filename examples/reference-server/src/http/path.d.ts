/** The mount path of the API in links and locations; `/v1` is an alias. */
export declare const apiPath = "/api/v1";
/** The mount path of the operators' console. */
export declare const consolePath = "/console";
