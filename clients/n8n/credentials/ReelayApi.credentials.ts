import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

/** Where Reelay is, and a partner's token. */
export class ReelayApi implements ICredentialType {
  name = "reelayApi";

  displayName = "Reelay API";

  icon = { light: "file:../icons/reelay.svg", dark: "file:../icons/reelay.dark.svg" } as const;

  documentationUrl = "https://reelay.example/v1/docs";

  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "http://127.0.0.1:8787",
      placeholder: "e.g. https://reelay.example",
      description: "The address of your Reelay, without /v1",
      required: true,
    },
    {
      displayName: "Access Token",
      name: "accessToken",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description: "As 'reelay partner add' prints it",
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.accessToken}}" } },
  };

  /** Says who the token is. */
  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.baseUrl}}", url: "/v1/partner" },
  };
}
