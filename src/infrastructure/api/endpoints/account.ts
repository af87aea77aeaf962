import { ServiceFailure } from "../transport/errors.ts";
import { jsonBody } from "../transport/json-body.ts";
import {
  type Balance,
  readBalance,
  readTokenUse,
  readUser,
  type TokenUse,
  type User,
} from "../records/account.ts";
import {
  type EditTemplate,
  type H3Template,
  type ImageModel,
  type RawTemplates,
  readEditTemplates,
  readH3Template,
  readH3Templates,
  readImageModels,
  readRawTemplates,
  readRegistered,
  type RegisteredTemplate,
} from "../records/catalogues.ts";
import { readVideoTemplates, type VideoTemplate } from "../records/video-templates.ts";
import { checked } from "../requests/checked.ts";
import { words } from "../requests/fields.ts";
import { type H3TemplatesRequest, h3TemplatesRequest } from "../requests/h3.ts";
import {
  registerH3TemplateRequest,
  type RegisterH3TemplateRequest,
  registerTemplateRequest,
  type RegisterTemplateRequest,
} from "../requests/templates.ts";
import { type CallOptions, Service, type ServiceOptions } from "../transport/service.ts";

/** Whose key it is and what can be chosen (sections 4.1 and 4.2). */
export abstract class AccountEndpoints {
  protected readonly service: Service;

  constructor(options: ServiceOptions) {
    this.service = new Service(options);
  }

  /** Whose key it is (section 4.1). */
  async info(options?: CallOptions): Promise<User> {
    return readUser(await this.service.read("user", "/user/info", {}, options));
  }

  /** What can be spent, in tokens (section 4.1). */
  async balance(options?: CallOptions): Promise<Balance> {
    return readBalance(await this.service.read("user", "/user/balance", {}, options));
  }

  /** What was spent, in tokens (section 4.1). */
  async tokens(options?: CallOptions): Promise<TokenUse> {
    return readTokenUse(await this.service.read("user", "/user/tokens", {}, options));
  }

  /** The video templates of this host (sections 2.8 and 4.2). */
  async templates(options?: CallOptions): Promise<readonly VideoTemplate[]> {
    return readVideoTemplates(await this.service.read("user", "/templates", {}, options));
  }

  /**
   * The video templates as they are kept, with their categories (section 4.2). For boss accounts.
   * @throws SubscriptionRequired to everyone else
   */
  async rawTemplates(options?: CallOptions): Promise<RawTemplates> {
    return readRawTemplates(await this.service.read("user", "/templates", { full: 1 }, options));
  }

  /** The models of text-to-image (sections 2.9 and 4.2). */
  async imageModels(options?: CallOptions): Promise<readonly ImageModel[]> {
    return readImageModels(await this.service.read("user", "/image-models", {}, options));
  }

  /** The image-edit templates of this host (sections 2.10 and 4.2). */
  async imageEditTemplates(options?: CallOptions): Promise<readonly EditTemplate[]> {
    return readEditTemplates(await this.service.read("user", "/image-edit-templates", {}, options));
  }

  /** The H3 templates, in the order that is asked for (sections 2.11 and 4.2). */
  async h3Templates(request: H3TemplatesRequest = {}, options?: CallOptions): Promise<readonly H3Template[]> {
    const query = checked(h3TemplatesRequest, request);
    return readH3Templates(await this.service.read("user", "/h3-r2v-templates", query, options));
  }

  /**
   * One H3 template (sections 2.11 and 4.2).
   * @throws NotFound where there is none of this id
   */
  async h3Template(id: string, options?: CallOptions): Promise<H3Template> {
    const query = { id: checked(words, id) };
    const template = readH3Template(
      await this.service.read("user", "/h3-r2v-templates", query, options),
      query.id,
    );
    if (!template) throw new ServiceFailure({ status: 200 });
    return template;
  }

  /**
   * Creates a video template or overwrites one (section 4.2). For boss accounts, on the full-catalogue host. Costs
   * nothing.
   * @throws SubscriptionRequired to everyone else
   */
  async registerTemplate(
    request: RegisterTemplateRequest,
    options?: CallOptions,
  ): Promise<RegisteredTemplate> {
    const fields = checked(registerTemplateRequest, request);
    return this.#register("/templates", fields, options);
  }

  /**
   * Creates an H3 template or overwrites one (section 4.2). For boss accounts, on the full-catalogue host. Costs
   * nothing.
   * @throws SubscriptionRequired to everyone else
   */
  async registerH3Template(
    request: RegisterH3TemplateRequest,
    options?: CallOptions,
  ): Promise<RegisteredTemplate> {
    const fields = checked(registerH3TemplateRequest, request);
    return this.#register("/h3-r2v-templates", fields, options);
  }

  async #register(
    path: string,
    fields: RegisterTemplateRequest | RegisterH3TemplateRequest,
    options: CallOptions | undefined,
  ): Promise<RegisteredTemplate> {
    const answer = await this.service.post("registration", path, jsonBody(fields), options);
    const template = readRegistered(answer, fields.id);
    if (!template) throw new ServiceFailure({ status: 200 });
    return template;
  }
}
