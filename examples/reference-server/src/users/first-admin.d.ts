import type { Accounts } from './accounts.ts';
import type { Users } from './repository.ts';
export interface Admin {
    readonly email: string;
    readonly password: string;
}
/** A first admin that the server generates for development. */
export interface DevelopmentAdmin extends Admin {
    /** Writes the password to `secrets.json`. */
    readonly savePassword: () => void;
}
/** Validates the first admin like any user; each problem starts with the name of the setting. */
export declare function adminProblems(admin: Admin): readonly string[];
/**
 * Creates the first admin, unless a user has the address.
 * @returns a notice for the operator if the user with this address is not an admin
 */
export declare function ensureAdmin(admin: Admin, { users, accounts }: {
    readonly users: Users;
    readonly accounts: Accounts;
}): Promise<string | undefined>;
/**
 * Creates the first admin of a development database and stores the password in the same transaction. A database with an
 * admin stays unchanged.
 *
 * @returns whether the admin was created
 */
export declare function ensureDevelopmentAdmin({ savePassword, ...admin }: DevelopmentAdmin, { users, accounts }: {
    readonly users: Users;
    readonly accounts: Accounts;
}): Promise<boolean>;
