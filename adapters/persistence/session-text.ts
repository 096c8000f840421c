export const MAX_USER_AGENT_LENGTH = 200;
