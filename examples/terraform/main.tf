# What a service declares at a gateway of another stack. CloudFormation runs the gateway's function, so this is a stack of its own.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws", version = ">= 5.0" }
  }
}

variable "gateway_stack" {
  type        = string
  description = "Name of the gateway's stack"
}

variable "client_id" {
  type = string
}

# Holds the client secret. Write its value outside Terraform, so that it is in no state file.
resource "aws_secretsmanager_secret" "google_drive" {
  name = "google/terraform-drive"
}

data "aws_cloudformation_stack" "gateway" {
  name = var.gateway_stack
}

locals {
  gateway = data.aws_cloudformation_stack.gateway.outputs
}

resource "aws_iam_role" "service" {
  name = "drive-service"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ecs-tasks.amazonaws.com" } }]
  })
}

data "aws_caller_identity" "this" {}
data "aws_partition" "this" {}
data "aws_region" "this" {}

resource "aws_iam_role_policy" "call_the_gateway" {
  role = aws_iam_role.service.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "execute-api:Invoke"
      Resource = "arn:${data.aws_partition.this.partition}:execute-api:${data.aws_region.this.name}:${data.aws_caller_identity.this.account_id}:${local.gateway.ApiId}/v1/*/iam/proxy/*"
    }]
  })
}

# The gateway's function reads the client secret.
resource "aws_iam_role_policy" "read_client_secret" {
  role = element(split("/", local.gateway.DeclaredRoleArn), length(split("/", local.gateway.DeclaredRoleArn)) - 1)
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "secretsmanager:GetSecretValue", Resource = aws_secretsmanager_secret.google_drive.arn }]
  })
}

resource "aws_cloudformation_stack" "declared" {
  name          = "drive-at-the-gateway"
  template_body = file("${path.module}/gateway.yaml")
  parameters = {
    DeclaredFunctionArn = local.gateway.DeclaredFunctionArn
    RoleArn             = aws_iam_role.service.arn
    RoleId              = aws_iam_role.service.unique_id
    ClientId            = var.client_id
    ClientSecretArn     = aws_secretsmanager_secret.google_drive.arn
  }
  depends_on = [aws_iam_role_policy.read_client_secret]
}
